// The network of a test whose machine has an address that may stand in DNS: connections of this process to it lead to an
// address of loopback instead, and nobody else outside of loopback is asked.
import { Socket } from 'node:net';

const LOOPBACK = /^(?:localhost|127\.|::1$)/;

/** Every connection to `from` leads to `to`. Answers what puts an end to that. */
export function detour(from: string, to: string): () => void {
  const { connect } = Socket.prototype;
  const dialled = function (this: Socket, ...given: unknown[]): Socket {
    // From node:net's own functions they come as one list.
    const options = (Array.isArray(given[0]) ? given[0][0] : given[0]) as { host?: string };
    if (options.host === from) options.host = to;
    const { host = 'localhost' } = options;
    if (!LOOPBACK.test(host)) throw new Error(`This test asks nobody at ${host}.`);
    return Reflect.apply(connect, this, given);
  };
  Socket.prototype.connect = dialled as typeof connect;
  return () => {
    Socket.prototype.connect = connect;
  };
}
