// Somebody who has taken over the service, or another program of the appliance: what he asks the root step for, and the shell
// command by which he does.
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unitFile } from '../../shared/appliance/host-guard.ts';
import type { Material, Outcome } from './attack.ts';
import { SCRIPT as ORDERED, OWNED } from './hostile.ts';
import type { Machine } from './machine.ts';

/** What the appliance's root step is started with. */
export const SURROUNDINGS = { management_port: 443, public_listen: null };

/** Files that are written at any time, or by whoever did the attack. */
const OWN_FILES =
  /^\/(?:var\/lib\/groundcrew\/(?:data|enforce|chrony|tftp)|var\/(?:log|cache|tmp)|var\/lib\/systemd|tmp|opt\/attack)\//;

/** Puts the attack on the disk of the appliance. */
export function plantAttack(system: string, { database, inputs }: Material): void {
  const folder = join(system, 'opt/attack');
  mkdirSync(folder);
  renameSync(database, join(folder, 'ordinary.sqlite'));
  copyFileSync(join(import.meta.dirname, 'attack.ts'), join(folder, 'attack.ts'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(folder, 'material.json'), JSON.stringify({ database: '/opt/attack/ordinary.sqlite', inputs }));
}

/** Requests, and what each is answered. */
export const TRICKS: [request: string, answer: RegExp][] = [
  ['{"verb":"run","program":"id"}', /this is no request/],
  ['{"verb":"ask","question":"shadow"}', /this is no request/],
  ['{"verb":"swap","plan_id":"../../../etc","unit":"network"}', /this is no request/],
  ['{"verb":"swap","plan_id":"plan_aaaaaaaaaaaaaaaa","unit":"network"}', /does not exist/],
  ['{"verb":"check-filter","content":"include \\"/etc/shadow\\"\\n"}', /is none that the unit writes/],
];

const SCRIPT = `const s=require('net').connect('/run/groundcrew/enforce.sock');
  s.on('error',(e)=>console.log(e.code));s.pipe(process.stdout);
  for(const line of ${JSON.stringify(TRICKS.map(([request]) => request))}) s.write(line+'\\n');
  s.end();`;
const ENCODED = Buffer.from(SCRIPT.replaceAll('\n', ' ')).toString('base64');

/** Sends all requests over one connection and prints the answers. */
export const ASK = `/usr/lib/groundcrew/bin/node -e "eval(Buffer.from('${ENCODED}','base64').toString())"`;

/** The command as another user. */
export const as = (user: string, ...words: string[]): string =>
  `setpriv --reuid=${user} --regid=$(id -g ${user}) --clear-groups --no-new-privs -- ${words.join(' ')}`;

export interface Siege {
  outcome: Outcome;
  /** What the script that every order names has left anywhere. */
  owned: string[];
  /** Files written meanwhile that are no unit's. */
  written: string[];
  /** What programs said that were run where a daemon would run them. */
  ran: { program: string; said: string }[];
}

/** Attacks the root step with what was planted, as the service's user; the service is dead. `limit`: milliseconds. */
export async function besiege(appliance: Machine, limit: number): Promise<Siege> {
  const lines = (text: string): string[] => text.split('\n').filter(Boolean);
  await appliance.inside('systemctl stop groundcrew', limit);
  const order = `#!/bin/sh\\ntouch /run/${OWNED} /var/lib/groundcrew/${OWNED} /var/lib/groundcrew/dnsmasq/${OWNED}\\n`;
  // Everybody may run it: what holds is not who may enter a folder.
  const open = `chmod 755 ${ORDERED} /var/lib/groundcrew/data`;
  await appliance.inside(`printf '${order}' >${ORDERED}; ${open}; touch /opt/attack/began`);
  const program = '/usr/lib/groundcrew/bin/node /opt/attack/attack.ts /opt/attack/material.json';
  const said = await appliance.inside(
    as('groundcrew', program, '/var/lib/groundcrew/data /run/groundcrew/enforce.sock'),
    limit,
  );
  const outcome = JSON.parse(lines(said).at(-1)!) as Outcome;
  const owned = lines(await appliance.inside(`find / /run -xdev -name ${OWNED}`, limit));
  const written = lines(await appliance.inside('find / -xdev -newer /opt/attack/began -type f', limit));
  const ran: Siege['ran'] = [];
  // The way back of a plan may have been to run nothing.
  await appliance.inside('systemctl start groundcrew-dnsmasq groundcrew-chronyd', limit);
  for (const pid of ['dnsmasq', 'chronyd'])
    for (const program of [ORDERED, '/bin/sh -c id', '/usr/lib/groundcrew/bin/node -v']) {
      const enter = `nsenter --mount --target $(cat /run/groundcrew/${pid}.pid)`;
      ran.push({ program: `${pid}: ${program}`, said: await appliance.inside(`${enter} ${program}`) });
    }
  return {
    outcome,
    owned,
    written: written.filter((path) => unitFile(path) === null && !OWN_FILES.test(path)),
    ran,
  };
}
