// Reading a password: twice and without echo on a terminal, otherwise one line of standard input.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Refusal } from './command.ts';

/** @throws Refusal when the two differ or nothing was given. */
export async function askForPassword(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return firstLine();
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  // Ctrl-C: nothing was opened for writing yet, so there is nothing to undo.
  terminal.on('SIGINT', () => process.exit(130));
  const lines = terminal[Symbol.asyncIterator]();
  try {
    const first = await answer(lines, prompt);
    if (first !== (await answer(lines, 'Once more: '))) {
      throw new Refusal('The password was not changed: the two are not the same.');
    }
    return first;
  } finally {
    terminal.close();
  }
}

async function answer(lines: AsyncIterator<string>, prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const { value, done } = await lines.next();
  process.stderr.write('\n');
  if (done) throw new Refusal('The password was not changed: the input ended.');
  return value;
}

async function firstLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new Refusal('The password was not changed: standard input was empty.');
}
