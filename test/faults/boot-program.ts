// One life of an appliance that is killed while hosts fetch their Kickstarts. It asks again with every capability of the
// lives before, says its verdict, then authorizes boots and lets many ask at once; every authorization and every text that
// left is said. Arguments: data folder, file of what was said so far, number of this life, how many ask at once. None at
// once: all is asked for once more and the verdict said, and it ends.
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
    Array.from({ length: Math.max(1, AT_ONCE) }, async () => {
      const { statusCode } = await scene.boot(path);
      if (statusCode === 200) say(`got ${path}`);
    }),
  );
}

const paths = new Set(
  readFileSync(said, 'utf8')
    .split('\n')
    .flatMap((line) => /^issued (\S+) \S+$/.exec(line)?.[1] ?? []),
);
if (life === '0') flushCompileCache();
say(`ready ${life}`);
// The last ones are those that the kill may have met.
for (const path of AT_ONCE > 0 ? [...paths].slice(-3) : paths) await fetchMany(path);
const { store } = scene.house.services;
const ids = async (sql: string) => (await store.all<{ id: string }>(sql)).map(({ id }) => id);
const consumed = await ids("SELECT id FROM boot_attempt WHERE state = 'consumed' ORDER BY id");
const audited = await ids(
  "SELECT resource_id AS id FROM audit_event WHERE action = 'network-boot.attempt.consume' AND outcome = 'success' ORDER BY 1",
);
say(`verdict ${JSON.stringify({ audited, consumed })}`);
while (AT_ONCE > 0) {
  // Attempts of one machine are few in ten minutes; here many are wanted.
  await scene.write("UPDATE boot_attempt SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day')");
  const { path } = await scene.ready();
  say(`issued ${path} ${(await scene.last()).id}`);
  await fetchMany(path);
}
await scene.house.close(true);
process.exit(0);
