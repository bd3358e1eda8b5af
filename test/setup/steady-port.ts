// A port for a listener that is closed and opened again. One that the system gives may be given to any connection of this
// machine in between; these are below the range that it takes from.
import { once } from 'node:events';
import { createServer } from 'node:net';

const FIRST = 20_000;
const COUNT = 12_000;
/** Processes beside each other begin this far apart. */
const APART = 37;
let tried = 0;

/** A port of 127.0.0.1 that is free now, never the same one twice in a process. @throws Error when none is */
export async function steadyPort(): Promise<number> {
  for (let turn = 0; turn < APART; turn++) {
    const port = FIRST + ((process.pid * APART + tried++) % COUNT);
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    } finally {
      if (server.listening) await new Promise((closed) => server.close(closed));
    }
  }
  throw new Error(`No port from ${FIRST} on is free.`);
}
