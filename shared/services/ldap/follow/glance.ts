// A short look at a tree over slapd's socket, in one connection and without a program: starting one takes longer than all that
// is asked.
import { connect, type Socket } from 'node:net';
import type { Host } from '../../../ground/machine/host.ts';
import { SOCKET } from '../files.ts';
import { bindExternal, type LdapSearch, nextTold, searchRequest } from '../ldap-message.ts';
import type { Entry } from './ldif.ts';

/** Milliseconds for each answer. */
const ANSWER_MS = 5_000;
/** RFC 4511, appendix A. */
const SUCCESS = 0;
const NO_SUCH_OBJECT = 32;

export type Ask = (search: LdapSearch) => Promise<Entry[]>;

/** @throws Error when slapd does not answer, or refuses */
export async function overSocket<T>(host: Pick<Host, 'resolve'>, work: (ask: Ask) => Promise<T>): Promise<T> {
  const socket = connect(host.resolve(SOCKET));
  socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('slapd does not answer at its socket')));
  try {
    const next = listening(socket);
    socket.write(bindExternal(1));
    await next(SUCCESS);
    return await work((search) => {
      socket.write(searchRequest(2, search));
      return next(SUCCESS, NO_SUCH_OBJECT);
    });
  } finally {
    socket.destroy();
  }
}

/** Answers the entries up to the result of each question, one question at a time. */
function listening(socket: Socket): (...fine: number[]) => Promise<Entry[]> {
  let pieces: Buffer = Buffer.alloc(0);
  let failure: Error | null = null;
  let wake: () => void = () => undefined;
  socket.on('data', (piece) => {
    pieces = pieces.length === 0 ? piece : Buffer.concat([pieces, piece]);
    wake();
  });
  const failed = (error: Error) => {
    failure ??= error;
    wake();
  };
  socket.on('error', failed);
  socket.on('close', () => failed(new Error('slapd closed the connection at its socket')));
  return async (...fine) => {
    const entries: Entry[] = [];
    for (;;) {
      const next = nextTold(pieces);
      if (next === null) {
        if (failure) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      pieces = next.rest;
      if (next.told === null) continue;
      if ('entry' in next.told) entries.push(next.told.entry);
      else if (fine.includes(next.told.code)) return entries;
      else throw new Error(`slapd refuses at its socket (code ${next.told.code})`);
    }
  };
}
