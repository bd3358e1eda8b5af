// Planes of plain HTTP at one address and port: the certificate portal and network boot, which machines that know no TLS yet ask both.
// Each has a server of its own, with limits of its own, and enters a door (plain-door.ts), which gives each connection to the
// plane of its first request, by Host and path. A later request on a kept connection is answered by its own plane all the same,
// and the connection still counts among those of the first. Who comes or goes resets no connection of the other.
import type { GatewayEvent } from '../shared/kernel/operation/event.ts';
import type { ListenAddress } from './config.ts';
import { type Listener, type ListenerOptions, startListener } from './listener.ts';
import { type Accept, type First, PlainDoor } from './plain-door.ts';

/** What a plane does with its requests. */
export interface PlainPlane {
  answer: ListenerOptions['answer'];
  stream?: NonNullable<ListenerOptions['stream']>;
  /** Whether a request is its own, whoever else is there; without it a plane has what nobody else owns. */
  owns?(event: Pick<GatewayEvent, 'rawPath'> & { headers: { host?: string } }): Promise<boolean>;
}

interface Shared {
  door: PlainDoor;
  address: Promise<ListenAddress>;
  planes: Map<PlainPlane, Accept>;
}

export class PlainDoors {
  readonly #options: Omit<ListenerOptions, 'listen' | 'answer' | 'stream'>;
  readonly #doors = new Map<string, Shared>();

  /** `options`: of every server. */
  constructor(options: Omit<ListenerOptions, 'listen' | 'answer' | 'stream'>) {
    this.#options = options;
  }

  /**
   * The plane answers at this address and port from now on; as a listener of its own, it stops alone.
   * @throws Error when nothing can listen there
   */
  async enter(plane: PlainPlane, listen: ListenAddress): Promise<Listener> {
    const key = `${listen.host} ${listen.port}`;
    const shared = this.#doors.get(key) ?? this.#open(key, listen);
    const { planes } = shared;
    const its = async (event: GatewayEvent) => (await planeOf(planes, event)) ?? plane;
    return startListener({
      ...this.#options,
      listen,
      answer: async (event) => (await its(event)).answer(event),
      stream: async (request, response, event) =>
        (await (await its(event)).stream?.(request, response, event)) ?? false,
      way: async (server, connections) => {
        const address = await shared.address;
        // Node's watch over slow requests begins when a server listens, and this one has no socket that would.
        server.emit('listening');
        planes.set(plane, (socket) => void server.emit('connection', socket));
        return {
          address,
          close: async () => {
            this.#leave(key, shared, plane);
            server.close();
            await connections.emptied();
          },
        };
      },
    });
  }

  #open(key: string, listen: ListenAddress): Shared {
    const planes: Shared['planes'] = new Map();
    const door = new PlainDoor({
      services: this.#options.services,
      listen,
      alone: () => (planes.size === 1 ? [...planes.values()][0]! : null),
      choose: async (first) => {
        const plane = await planeOf(planes, first);
        return (plane && planes.get(plane)) ?? null;
      },
    });
    const shared = { door, address: door.open(), planes };
    this.#doors.set(key, shared);
    shared.address.catch(() => this.#forget(key, shared));
    return shared;
  }

  /** The door closes with the last plane. */
  #leave(key: string, shared: Shared, plane: PlainPlane): void {
    shared.planes.delete(plane);
    if (shared.planes.size > 0) return;
    this.#forget(key, shared);
    shared.door.close();
  }

  #forget(key: string, shared: Shared): void {
    if (this.#doors.get(key) === shared) this.#doors.delete(key);
  }
}

/** One that is alone has everything; null where none is there. */
async function planeOf(planes: Shared['planes'], first: First | null): Promise<PlainPlane | null> {
  const all = [...planes.keys()];
  if (all.length < 2) return all[0] ?? null;
  if (first) for (const plane of all) if (await plane.owns?.(first)) return plane;
  return all.find(({ owns }) => owns === undefined) ?? all[0]!;
}
