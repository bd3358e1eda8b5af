// Who answers at an address and port that several planes share over TLS, such as 443:
// - A service answers at the name that was applied for it, and at no other: that name is reserved, whether the service
//   has a certificate now or not, and never reaches another plane.
// - The management UI has all the rest: its own names, the bare address, clients that name nobody, unknown names. (It
//   says itself which of them it knows.)
// - Where the management UI does not answer, a service that is alone has all names, as on a port of its own; of several,
//   none has more than its own, and a client that names nobody, or somebody else, gets the alert `unrecognized_name`.
// - A request whose Host is not the name that its connection was opened for is answered 421 (RFC 9110, 7.4).
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Services } from '../shared/kernel/operation/services.ts';
import type { ListenAddress } from './config.ts';
import { localEnd } from './gateway-event.ts';
import { hostNamed } from './host-named.ts';
import type { Sharing } from './listener.ts';
import { EVERYWHERE, sharing } from './listener-set.ts';
import { Door, type DoorOptions, type Guest } from './tls-door.ts';

/** The plane that has what nobody else has. */
export const MANAGEMENT = 'management';

/** A place at a door. */
export interface Entrance {
  address: ListenAddress;
  /** Nobody new comes in by it; the door closes with its last guest. */
  leave(): void;
}

interface Reserved {
  /** In lower case; empty: none. */
  name: string;
  places: ReadonlySet<string>;
  ports: ReadonlySet<number>;
}

export interface TlsDoorsOptions {
  services: Pick<Services, 'logger'>;
  /** Names that the management UI keeps where no service shares its address; in lower case. */
  own?: () => readonly string[];
  limits?: DoorOptions['limits'];
}

const placeOf = (host: string, port: number): string => `${host} ${port}`;

export class TlsDoors {
  readonly #options: TlsDoorsOptions;
  readonly #doors = new Map<string, Door>();
  /** Closed while others were open: who came in by them may be for a guest of another one. */
  readonly #closed = new Set<Door>();
  /** One after the other: two planes that come at once find one door. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #reserved = new Map<string, Reserved>();
  /** Ports of which sockets on one address and on all addresses are open at the same time. */
  readonly #reused = new Set<number>();

  constructor(options: TlsDoorsOptions) {
    this.#options = options;
  }

  /** What was applied for a service; an empty name is none. */
  reserve(plane: string, listen: readonly ListenAddress[], name: string): void {
    const places = new Set(listen.map(({ host, port }) => placeOf(host, port)));
    this.#reserved.set(plane, { name: hostNamed(name), places, ports: new Set(listen.map(({ port }) => port)) });
  }

  /** Opens the door, or joins who is there. @throws Error (EADDRINUSE…) */
  enter(listen: ListenAddress, guest: Guest, shared?: Sharing): Promise<Entrance> {
    const entered = this.#turn.then(() => this.#enter(listen, guest, shared));
    this.#turn = entered.catch(() => undefined);
    return entered;
  }

  /** Whether a request that this plane got is for nobody, or for another one. */
  isMisdirected(plane: string, request: IncomingMessage): boolean {
    const socket = request.socket as Socket & Partial<TLSSocket>;
    const asked = nameAsked(socket.servername);
    const named = nameOf(request) ?? asked ?? '';
    if (asked !== null && asked !== named) return true;
    const { local_address, local_port = 0 } = localEnd(socket);
    const place = placeOf(local_address, local_port);
    const owner = this.#ownerAt(place, named);
    if (owner !== null) return owner !== plane;
    if (plane === MANAGEMENT && this.#isReserved(local_port, named)) return true;
    const rest = this.#restAt(place);
    return rest !== null && rest !== plane;
  }

  async #enter(listen: ListenAddress, guest: Guest, shared?: Sharing): Promise<Entrance> {
    const there = this.#doors.get(placeOf(listen.host, listen.port));
    if (there?.guests.has(guest.plane))
      throw new Error(`${guest.plane} listens at ${placeOf(listen.host, listen.port)}`);
    if (there) return this.#join(there, listen, guest);
    const { services, limits } = this.#options;
    const reused = shared ?? (this.#reused.has(listen.port) ? sharing(listen.host) : { exclusive: true as const });
    const door = new Door({
      services,
      listen,
      sharing: reused,
      choose: (socket) => this.#choose(door, socket),
      ...(limits && { limits }),
    });
    const address = await door.open();
    if (shared?.reusePort) this.#reused.add(address.port);
    this.#doors.set(placeOf(address.host, address.port), door);
    return this.#join(door, address, guest);
  }

  #join(door: Door, address: ListenAddress, guest: Guest): Entrance {
    door.guests.set(guest.plane, guest);
    return {
      address,
      leave: () => {
        door.guests.delete(guest.plane);
        if (door.guests.size > 0) return;
        this.#doors.delete(placeOf(address.host, address.port));
        this.#closed.add(door);
        void door.close().then(() => this.#closed.delete(door));
        if (this.#doors.size > 0) return;
        for (const closed of this.#closed) closed.end();
      },
    };
  }

  /** Nothing is read of a connection to somebody who is alone. */
  #choose(door: Door, socket: Socket): ReturnType<DoorOptions['choose']> {
    const { local_address, local_port = 0 } = localEnd(socket);
    const place = placeOf(local_address, local_port);
    const guests = this.#guestsAt(place, door);
    const planes = this.#planesAt(place, guests);
    if (planes.size === 1) return guests.values().next().value ?? null;
    return (sent) => {
      const name = nameAsked(sent);
      const owner = name === null ? null : this.#ownerAt(place, name);
      const plane = owner ?? this.#restAt(place);
      // Those of now: the socket that it came in by may be closed.
      return (plane !== null && this.#guestsAt(place).get(plane)) || null;
    };
  }

  /** Where a service has a door of its own on one address, the management UI on all addresses answers there too. */
  #guestsAt(place: string, door = this.#doors.get(place)): ReadonlyMap<string, Guest> {
    const guests = new Map(door?.guests);
    const [host = '', port = ''] = place.split(' ');
    const everywhere = EVERYWHERE.find((all) => isIPv6(all) === isIPv6(host))!;
    const management = this.#doors.get(placeOf(everywhere, Number(port)))?.guests.get(MANAGEMENT);
    if (management && !guests.has(MANAGEMENT)) guests.set(MANAGEMENT, management);
    return guests;
  }

  #planesAt(place: string, guests = this.#guestsAt(place)): ReadonlySet<string> {
    const reserved = [...this.#reserved].flatMap(([plane, { places }]) => (places.has(place) ? [plane] : []));
    return new Set([...guests.keys(), ...reserved]);
  }

  #ownerAt(place: string, name: string): string | null {
    if (name === '') return null;
    for (const [plane, reserved] of this.#reserved) {
      if (reserved.name === name && reserved.places.has(place)) return plane;
    }
    return null;
  }

  /** On whatever address, unless the management UI calls itself so as well. */
  #isReserved(port: number, name: string): boolean {
    if (this.#options.own?.().includes(name)) return false;
    return [...this.#reserved.values()].some((each) => each.name === name && name !== '' && each.ports.has(port));
  }

  /** Who has what no name there is reserved for; null: nobody. */
  #restAt(place: string): string | null {
    const planes = this.#planesAt(place);
    if (planes.has(MANAGEMENT)) return MANAGEMENT;
    const [only, ...others] = planes;
    return only !== undefined && others.length === 0 ? only : null;
  }
}

/** In lower case without a dot at its end; null: none, or an address, which is no name of TLS (RFC 6066, 3). */
function nameAsked(servername: string | false | null | undefined): string | null {
  const name = (servername || '').toLowerCase().replace(/\.$/, '');
  return name === '' || isIP(name) !== 0 ? null : name;
}

/** Whom a request is for: a target with an authority is closer than the Host header (RFC 9112, 3.2.2); null: it does not say. */
function nameOf({ url = '', headers }: IncomingMessage): string | null {
  const [, authority] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url) ?? [];
  const said = authority ?? headers.host;
  return said === undefined ? null : hostNamed(said);
}
