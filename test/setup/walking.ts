// Somebody on another machine who opens the web terminal: a process in a namespace, and what it has printed so far.
import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

export interface Walk {
  origin: string;
  user: string;
  /** Of the user here, and of the account of the operating system. */
  password: string;
  account: string;
  os_password: string;
  /** To another machine, the first that the page offers: its host key is looked at and confirmed before, or was. */
  remote?: 'confirm' | 'confirmed';
}

export interface Walking {
  child: ChildProcess;
  // biome-ignore lint/suspicious/noExplicitAny: lines of every shape.
  seen: any[];
  /** Types a line; `resize COLUMNS ROWS` is told to the appliance instead. */
  type(line: string): void;
}

/** `says`: gets what it writes to its error output. */
export function startWalk(namespace: string, asked: Walk, says: (text: string) => void): Walking {
  const words = ['netns', 'exec', namespace, process.execPath, 'test/setup/terminal-walk.ts', JSON.stringify(asked)];
  const child = spawn('ip', words, {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
  });
  const seen: unknown[] = [];
  child.stderr.setEncoding('utf8').on('data', says);
  createInterface({ input: child.stdout }).on('line', (line) => seen.push(JSON.parse(line)));
  return { child, seen, type: (line) => void child.stdin.write(`${line}\n`) };
}
