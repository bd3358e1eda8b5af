// How a refused connection ends: the answer is sent, and for a moment what the client still sends is thrown away. (Closed at once,
// the network stack would discard the answer.) Then the connection is destroyed, whatever the client does.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const ending = new WeakSet<Socket>();

/** Whether the last answer was given: what arrives from now on is ignored. */
export const isEnding = (socket: Socket): boolean => ending.has(socket) || !socket.writable;

/** Says the last words and ends the connection: by itself once the client ends it too, by force after `linger` ms. */
export function endSoon(socket: Socket, linger: number, words?: string): void {
  if (socket.destroyed || ending.has(socket)) return;
  ending.add(socket);
  if (words === undefined) socket.end();
  else socket.end(words);
  const timer = setTimeout(() => socket.destroy(), linger);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * For an answer after which the connection ends although its request is not there to its end. Node ends a connection with
 * `destroySoon`, which would not wait for the client.
 */
export function lingerAfter(request: IncomingMessage, linger: number): void {
  const { socket } = request;
  socket.destroySoon = () => {
    // Node does this only for a body of which nothing was read.
    request.resume();
    endSoon(socket, linger);
  };
}
