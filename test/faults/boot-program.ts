// One life of an appliance that is killed while hosts fetch their Kickstarts. It asks again with every capability of the
// lives before, then authorizes boots and lets many ask at once; every authorization and every text that left is said.
// Arguments: data folder, file of what was said so far, number of this life, how many ask at once.
import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { BootScene } from '../setup/boot-scene.ts';

const [data = '', said = '', life = '0', many = '20'] = process.argv.slice(2);
const AT_ONCE = Number(many);
const file = join(data, 'known');
const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
const scene = await BootScene.open({ data, fresh: !known }, known);
if (!known) writeFileSync(file, JSON.stringify({ host_id: scene.host_id, kickstart_id: scene.kickstart_id }));

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

async function fetchMany(path: string): Promise<void> {
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const { statusCode } = await scene.boot(path);
      if (statusCode === 200) say(`got ${path}`);
    }),
  );
}

const paths = new Set(
  readFileSync(said, 'utf8')
    .split('\n')
    .flatMap((line) => /^(?:issued|got) (\S+)$/.exec(line)?.[1] ?? []),
);
if (life === '0') flushCompileCache();
say(`ready ${life}`);
// The last ones are those that the kill may have met.
for (const path of [...paths].slice(-3)) await fetchMany(path);
const states = await scene.house.services.store.all<{ state: string; n: number }>(
  'SELECT state, count(*) AS n FROM boot_attempt GROUP BY state',
);
const [consumed] = await scene.house.services.store.all<{ n: number }>(
  "SELECT count(*) AS n FROM audit_event WHERE action = 'network-boot.attempt.consume'",
);
const audited = consumed!.n;
say(`verdict ${JSON.stringify({ audited, ...Object.fromEntries(states.map(({ state, n }) => [state, n])) })}`);
for (;;) {
  // Attempts of one machine are few in ten minutes; here many are wanted.
  await scene.write("UPDATE boot_attempt SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day')");
  const { path } = await scene.ready();
  say(`issued ${path}`);
  await fetchMany(path);
}
