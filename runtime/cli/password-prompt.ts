// Reading a password: twice and without echo on a terminal, otherwise one line of standard input.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Refusal } from './command.ts';

const NOT_CHANGED = 'The password was not changed';

/** `failed`: how a refusal begins. @throws Refusal when the two differ or nothing was given. */
export const askForPassword = (prompt: string, failed = NOT_CHANGED): Promise<string> =>
  asked(failed, async (ask) => {
    const first = await ask(prompt);
    if (first !== (await ask('Once more: '))) throw new Refusal(`${failed}: the two are not the same.`);
    return first;
  });

/** One that is there already. @throws Refusal when nothing was given. */
export const askOnce = (prompt: string, failed: string): Promise<string> => asked(failed, (ask) => ask(prompt));

async function asked(
  failed: string,
  ask: (answerTo: (prompt: string) => Promise<string>) => Promise<string>,
): Promise<string> {
  if (!process.stdin.isTTY) return firstLine(failed);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  // Ctrl-C: nothing was opened for writing yet, so there is nothing to undo.
  terminal.on('SIGINT', () => process.exit(130));
  const lines = terminal[Symbol.asyncIterator]();
  try {
    return await ask((prompt) => answer(lines, prompt, failed));
  } finally {
    terminal.close();
  }
}

async function answer(lines: AsyncIterator<string>, prompt: string, failed: string): Promise<string> {
  process.stderr.write(prompt);
  const { value, done } = await lines.next();
  process.stderr.write('\n');
  if (done) throw new Refusal(`${failed}: the input ended.`);
  return value;
}

async function firstLine(failed: string): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new Refusal(`${failed}: standard input was empty.`);
}
