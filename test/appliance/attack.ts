// Somebody who owns the service's user: puts one hostile database, file or plan after the other where the service has its own,
// and asks the root step to put each in force. Runs in a test as well as on the appliance, where it is a program by itself:
// attack.ts <material> <data folder> <socket>, which prints what came of it.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What is put somewhere below the data folder: text, a link, or a pipe. */
export type Plant = { path: string; text: string } | { path: string; link: string } | { path: string; pipe: true };

export interface HostileInput {
  name: string;
  /** SQL that makes the database hostile, with its parameters. */
  statements: [sql: string, parameters: (string | number | null)[]][];
  plants: Plant[];
  /** Lines for the root step, one after the other. */
  requests: string[];
}

export interface Material {
  /** Path of an ordinary database. */
  database: string;
  inputs: HostileInput[];
}

export interface Outcome {
  inputs: number;
  requests: number;
  /** `ok`, and kinds of answers that say no → how many. */
  answers: Record<string, number>;
  /** Names of inputs that some request was done for. */
  done: string[];
  /** Requests that nobody answered. */
  silent: string[];
}

const DATABASE = 'groundcrew.sqlite';
/** Verbs that are done whatever is in the database: they change nothing. */
const HARMLESS = /"verb":"(?:forget|ask|restore)"/;

export async function attack(
  { database, inputs }: Material,
  { data, socket, patience }: { data: string; socket: string; patience: number },
): Promise<Outcome> {
  const outcome: Outcome = { inputs: inputs.length, requests: 0, answers: {}, done: [], silent: [] };
  let line = await Line.to(socket);
  try {
    for (const input of inputs) {
      put(database, data, input);
      for (const request of input.requests) {
        outcome.requests += 1;
        const answer = await line.ask(request, patience);
        const kind = answer === null ? 'silent' : answer.ok ? 'ok' : String(answer.kind);
        outcome.answers[kind] = (outcome.answers[kind] ?? 0) + 1;
        if (kind === 'ok' && !HARMLESS.test(request) && !outcome.done.includes(input.name))
          outcome.done.push(input.name);
        if (answer === null) {
          outcome.silent.push(`${input.name}: ${request.slice(0, 80)}`);
          line.end();
          line = await Line.to(socket);
        }
        // Without a way back there is nothing to put in force.
        if (kind !== 'ok' && request.includes('"verb":"keep"')) break;
      }
      for (const { path } of input.plants) rmSync(join(data, path), { recursive: true, force: true });
    }
  } finally {
    line.end();
  }
  return outcome;
}

/** The service's own files, and what this input makes of them. @throws Error naming the input for what SQLite refuses */
function put(database: string, data: string, { name, statements, plants }: HostileInput): void {
  for (const end of ['', '-wal', '-shm']) rmSync(join(data, DATABASE + end), { recursive: true, force: true });
  copyFileSync(database, join(data, DATABASE));
  try {
    change(join(data, DATABASE), statements);
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`);
  }
  for (const each of plants) plant(data, each);
}

function change(file: string, statements: HostileInput['statements']): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON');
  // They would refuse some of it.
  const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`);
  for (const [sql, parameters] of statements) database.prepare(sql).run(...parameters);
  database.exec('PRAGMA journal_mode = DELETE');
  database.close();
}

function plant(data: string, each: Plant): void {
  const path = join(data, each.path);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  if ('text' in each) writeFileSync(path, each.text);
  else if ('link' in each) symlinkSync(each.link, path);
  else spawnSync('mkfifo', [path]);
}

/** One connection to the root step. */
class Line {
  #text = '';
  #told: (() => void) | null = null;
  #closed = false;
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const tell = () => this.#told?.();
    socket.setEncoding('utf8').on('data', (part: string) => {
      this.#text += part;
      tell();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#closed = true;
      tell();
    });
  }

  static to(path: string): Promise<Line> {
    return new Promise((done, failed) => {
      const socket = connect(path, () => done(new Line(socket)));
      socket.once('error', failed);
    });
  }

  /** Null where no answer came in time, or the other side hung up. */
  async ask(request: string, patience: number): Promise<{ ok: boolean; kind?: string } | null> {
    this.#socket.write(`${request}\n`);
    const late = Date.now() + patience;
    while (!this.#text.includes('\n')) {
      if (this.#closed || Date.now() > late) return null;
      await new Promise<void>((done) => {
        const timer = setTimeout(done, 1_000);
        this.#told = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
    const end = this.#text.indexOf('\n');
    const answer = JSON.parse(this.#text.slice(0, end));
    this.#text = this.#text.slice(end + 1);
    return answer;
  }

  end(): void {
    this.#socket.destroy();
  }
}

const [, program = '', material, data, socket] = process.argv;
if (program.endsWith('attack.ts') && material && data && socket) {
  const read = JSON.parse(readFileSync(material, 'utf8')) as Material;
  attack(read, { data, socket, patience: 300_000 }).then((outcome) => console.log(JSON.stringify(outcome)));
}
