// How connections come to the server of a plane: by a socket of its own, or by a door that it may share with others.
import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ListenAddress } from './config.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import type { Sharing } from './listener.ts';
import type { Guest } from './tls-door.ts';
import type { TlsDoors } from './tls-doors.ts';

export interface WayIn {
  address: ListenAddress;
  /** Nobody new comes in, at once; resolves when the connections have ended. */
  close(): Promise<void>;
}

/** @throws Error (EADDRINUSE…) */
export async function ownSocket(
  server: HttpServer | HttpsServer,
  listen: ListenAddress & (Partial<Sharing> | { exclusive: true }),
): Promise<WayIn> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listen, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  return {
    address: { host: address, port },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export interface DoorPlace {
  doors: TlsDoors;
  guest: Omit<Guest, 'accept'>;
  listen: ListenAddress;
  sharing?: Sharing | undefined;
}

/** @throws Error (EADDRINUSE…) */
export async function sharedDoor(
  server: HttpsServer,
  connections: ConnectionLimit,
  { doors, guest, listen, sharing }: DoorPlace,
): Promise<WayIn> {
  // Node's watch over slow requests begins when a server listens, and this one has no socket that would.
  server.emit('listening');
  try {
    const accept: Guest['accept'] = (socket) => void server.emit('connection', socket);
    const { address, leave } = await doors.enter(listen, { ...guest, accept }, sharing);
    return {
      address,
      async close() {
        leave();
        server.close();
        await connections.emptied();
      },
    };
  } catch (error) {
    server.close();
    throw error;
  }
}
