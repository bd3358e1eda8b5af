// A program for another machine: signs in at the application, opens the terminal with the operating system's password, and does what
// lines of its input say. It prints one line of JSON for each thing that happens.
import { createInterface } from 'node:readline';
import { wayIn } from './terminal-way-in.ts';
import type { Walk } from './walking.ts';

const walk = JSON.parse(process.argv[2]!) as Walk;
const say = (what: unknown) => process.stdout.write(`${JSON.stringify(what)}\n`);

const { ticket, refused, opened } = await wayIn(walk);
if (ticket === '') say(refused);
if (typeof opened === 'number') {
  say({ status: opened });
  process.exit(0);
}
opened.ws.on('close', (code) => {
  say({ closed: code });
  process.exit(0);
});
opened.tell({ type: 'ticket', ticket, columns: 99, rows: 30 });
opened.ws.on('message', (data, binary) => {
  const told = binary ? {} : JSON.parse(String(data));
  if (told.type === 'closing') say({ says: told.says });
});
if (!walk.remote) {
  const { prompts } = await opened.next('prompt');
  say({ prompts });
  opened.tell({ type: 'answer', answers: [walk.os_password] });
}
await opened.next('ready');
say({ ready: true });
createInterface({ input: process.stdin }).on('line', (line) => {
  const [, columns, rows] = /^resize (\d+) (\d+)$/.exec(line) ?? [];
  if (columns && rows) opened.tell({ type: 'resize', columns: Number(columns), rows: Number(rows) });
  else opened.ws.send(Buffer.from(`${line}\n`));
});
let shown = '';
setInterval(() => {
  if (opened.text === shown) return;
  shown = opened.text;
  say({ text: shown });
}, 50);
