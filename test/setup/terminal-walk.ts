// A program for another machine: signs in at the application, opens the terminal with the operating system's password, and does what
// lines of its input say. It prints one line of JSON for each thing that happens.
import { createInterface } from 'node:readline';
import { openTerminal } from './terminal-client.ts';
import type { Walk } from './walking.ts';

const { origin, user, password, account, os_password } = JSON.parse(process.argv[2]!) as Walk;
const say = (what: unknown) => process.stdout.write(`${JSON.stringify(what)}\n`);
const form = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  method: 'POST',
  redirect: 'manual' as const,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
});

const signed = await fetch(`${origin}/ui/management/sign-in`, form({ name: user, username: user, password }));
const cookie = (signed.headers.get('set-cookie') ?? '').split(';')[0]!;
const page = await (await fetch(`${origin}/ui/management/web-terminal/shell`, { headers: { cookie } })).text();
const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
const asked = await fetch(
  `${origin}/ui/management/web-terminal/shell/ticket`,
  form({ csrf, account, own_password: password }, { cookie, origin, accept: 'application/json' }),
);
const { ticket = '', ...refused } = (await asked.json()) as { ticket?: string };
if (ticket === '') say({ refused: asked.status, ...refused });
const url = `${origin.replace('http', 'ws')}/ui/management/web-terminal/socket`;
const opened = await openTerminal(url, { headers: { cookie, origin }, rejectUnauthorized: false });
if (typeof opened === 'number') {
  say({ status: opened });
  process.exit(0);
}
opened.ws.on('close', (code) => {
  say({ closed: code });
  process.exit(0);
});
opened.tell({ type: 'ticket', ticket, columns: 99, rows: 30 });
const { prompts } = await opened.next('prompt');
say({ prompts });
opened.tell({ type: 'answer', answers: [os_password] });
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
