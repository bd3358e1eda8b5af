// Somebody who has taken over the service, or another program of the appliance: what he asks the root step for, and the shell
// command by which he does.

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
