// Sends a file in pieces, one after the other. A connection that breaks, a service that starts anew or applies a change is
// waited for; what a person has to see to ends the sending, and it goes on later where it stopped.

/** The sending ended; `said` is for people. */
export class Stopped extends Error {
  /** Whether it makes sense to go on with the same upload. */
  readonly resumable: boolean;
  constructor(said: string, resumable = true) {
    super(said);
    this.resumable = resumable;
  }
}

export interface Sending {
  file: Pick<File, 'slice' | 'size'>;
  /** Address of a piece that begins at the offset. */
  piece(offset: number): string;
  csrf: string;
  /** Bytes of a piece. */
  most: number;
  /** Bytes that are there. */
  from: number;
  signal: AbortSignal;
  /** Bytes that are there now. */
  sent(received: number): void;
  /** What is waited for; null: nothing any more. */
  waits(said: string | null): void;
  fetch?: typeof fetch;
  pause?(ms: number, signal: AbortSignal): Promise<void>;
}

const LONGEST_MS = 15_000;
const SIGN_IN = 'Your session has ended. Sign in again in another tab, then go on.';

/** Resolves when all bytes are there. @throws Stopped, or the signal's reason */
export async function sendPieces(sending: Sending): Promise<void> {
  const { file, most, signal, sent, waits } = sending;
  let [at, failures] = [sending.from, 0];
  while (at < file.size) {
    const bytes = await readable(file.slice(at, at + most).arrayBuffer());
    const answer = await put(sending, at, bytes);
    signal.throwIfAborted();
    if (answer?.ok) {
      at = await receivedOf(answer);
      failures = 0;
      waits(null);
      sent(at);
      continue;
    }
    if (answer?.status === 409) {
      at = await whereItStands(sending, answer);
      sent(at);
      continue;
    }
    const wait = await waitOf(answer, failures++);
    waits(wait.said);
    await (sending.pause ?? pause)(wait.ms, signal);
    signal.throwIfAborted();
  }
}

async function readable<T>(read: Promise<T>): Promise<T> {
  return read.catch(() => {
    throw new Stopped('The file on this computer can’t be read any more, or was changed. Choose it again.');
  });
}

/** Null when nothing answered. */
async function put({ piece, csrf, signal, ...sending }: Sending, at: number, body: BodyInit): Promise<Response | null> {
  const headers = { accept: 'application/json', 'content-type': 'application/octet-stream', 'x-csrf-token': csrf };
  const ask = sending.fetch ?? fetch;
  return ask(piece(at), { method: 'POST', body, headers, signal, redirect: 'manual' }).catch(() => null);
}

const receivedOf = async (answer: Response): Promise<number> =>
  Number(((await answer.json()) as { received_bytes: number }).received_bytes);

/** Another has sent pieces of it, or the appliance has lost some: a piece of no bytes asks. */
async function whereItStands(sending: Sending, refused: Response): Promise<number> {
  const answer = await put(sending, 0, new ArrayBuffer(0));
  if (answer?.ok) return receivedOf(answer);
  throw new Stopped(await detailOf(refused), false);
}

export async function detailOf(answer: Response): Promise<string> {
  const document = (await answer.json().catch(() => null)) as { detail?: string } | null;
  return document?.detail ?? `The appliance answered ${answer.status}.`;
}

/** What is waited for and how long. @throws Stopped for what no waiting mends */
async function waitOf(answer: Response | null, failures: number): Promise<{ said: string; ms: number }> {
  const ms = Math.min(LONGEST_MS, 1000 * 2 ** failures);
  if (answer === null) return { said: 'No connection to the appliance; it is tried again.', ms };
  const { status } = answer;
  if (status === 401 || status === 403) throw new Stopped(SIGN_IN);
  if (status === 404) throw new Stopped('This upload was removed meanwhile. Choose the file again.', false);
  if (status === 507 || (status < 500 && status !== 423 && status !== 429)) throw new Stopped(await detailOf(answer));
  const said = status === 423 ? 'The appliance applies a change; it goes on after that.' : await detailOf(answer);
  return { said, ms: Math.max(ms, Number(answer.headers.get('retry-after') ?? 0) * 1000) };
}

/** Ends early when the browser is online again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      window.removeEventListener('online', end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    window.addEventListener('online', end);
  });
}
