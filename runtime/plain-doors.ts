// Planes of plain HTTP at one address and port: the certificate portal and network boot, which machines that know no TLS yet ask both.
// One server listens for all that are there; each request goes to one plane, by Host and path. Who comes or goes resets no
// connection of the other. They share the limits of the server, which count by client.
import type { GatewayEvent } from '../shared/kernel/operation/event.ts';
import type { ListenAddress } from './config.ts';
import { type Listener, type ListenerOptions, startListener } from './listener.ts';

/** What a plane does with its requests. */
export interface PlainPlane {
  answer: ListenerOptions['answer'];
  stream?: NonNullable<ListenerOptions['stream']>;
  /** Whether a request is its own, whoever else is there; without it a plane has what nobody else owns. */
  owns?(event: GatewayEvent): Promise<boolean>;
}

interface Door {
  listener: Promise<Listener>;
  planes: Set<PlainPlane>;
}

export class PlainDoors {
  readonly #options: Omit<ListenerOptions, 'listen' | 'answer' | 'stream'>;
  readonly #doors = new Map<string, Door>();

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
    const door = this.#doors.get(key) ?? this.#open(key, plane, listen);
    door.planes.add(plane);
    const { address } = await door.listener;
    return { address, stop: (grace) => this.#leave(key, door, plane, grace) };
  }

  #open(key: string, plane: PlainPlane, listen: ListenAddress): Door {
    const planes = new Set([plane]);
    const listener = startListener({
      ...this.#options,
      listen,
      answer: async (event) => (await planeOf(planes, event)).answer(event),
      stream: async (request, response, event) =>
        (await (await planeOf(planes, event)).stream?.(request, response, event)) ?? false,
    });
    const door = { planes, listener };
    this.#doors.set(key, door);
    listener.catch(() => this.#forget(key, door));
    return door;
  }

  /** The server ends with the last plane. */
  async #leave(key: string, door: Door, plane: PlainPlane, grace: number): Promise<void> {
    if (door.planes.size > 1) {
      door.planes.delete(plane);
      return;
    }
    // Kept as the one that answers what still runs.
    this.#forget(key, door);
    await (await door.listener).stop(grace);
  }

  #forget(key: string, door: Door): void {
    if (this.#doors.get(key) === door) this.#doors.delete(key);
  }
}

/** One that is alone has everything. */
async function planeOf(planes: ReadonlySet<PlainPlane>, event: GatewayEvent): Promise<PlainPlane> {
  const all = [...planes];
  if (all.length === 1) return all[0]!;
  for (const plane of all) if (await plane.owns?.(event)) return plane;
  return all.find(({ owns }) => owns === undefined) ?? all[0]!;
}
