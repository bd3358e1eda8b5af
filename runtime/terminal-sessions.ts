// The terminals of this service: how many there are, whose they are, and whether they may go on. Session, role and applied
// state are looked at every two seconds.
import type { Services } from '../shared/kernel/operation/services.ts';
import { opensAt, readManifest, type TerminalManifest } from '../shared/services/web-terminal/manifest.ts';
import type { Closing } from '../shared/services/web-terminal/session/closing.ts';
import { LIMITS } from '../shared/services/web-terminal/session/limits.ts';
import { mayOpen } from '../shared/services/web-terminal/session/may-open.ts';
import {
  hasPlace,
  type OpenTerminal,
  openTerminalsOf,
  takeable,
} from '../shared/services/web-terminal/session/open-terminals.ts';
import { hashed } from '../shared/services/web-terminal/session/tickets.ts';
import type { TerminalSession } from './terminal-session.ts';

export interface Held extends OpenTerminal {
  credential_id: string;
  /** The cookie's id, to find the session again; never written anywhere. */
  session_id: string;
  /** Local address that it is shown at. */
  local: string;
  session: TerminalSession | null;
  /** Hash of what a page comes back with, once. */
  resume: string;
  /** Looks in a row that found nothing out. */
  unknown: number;
  end(cause: Closing): void;
}

type Taking = Pick<Held, 'user_id' | 'credential_id' | 'session_id' | 'local' | 'source_address'>;

const UNKNOWN = Symbol('unknown');

export class TerminalSessions {
  readonly #services: Services;
  readonly #held = new Set<Held>();
  readonly #told: Set<OpenTerminal>;
  /** What an end leaves to be written: of its recording, and to the audit log. */
  readonly #settling = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #looking = false;

  constructor(services: Services) {
    this.#services = services;
    this.#told = openTerminalsOf(services);
  }

  get count(): number {
    return this.#held.size;
  }

  /** Takes a place at once; false: there is none. A sign-in that goes on has one too. */
  add(held: Held, manifest: TerminalManifest): boolean {
    // Visits to files of other machines have their places too.
    if (!hasPlace(this.#told, held.user_id, manifest)) return false;
    this.#held.add(held);
    this.#told.add(held);
    this.#timer ??= setInterval(() => void this.look(), LIMITS.look_ms);
    this.#timer.unref();
    return true;
  }

  remove(held: Held): void {
    this.#held.delete(held);
    this.#told.delete(held);
    if (this.#held.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** The terminal that a page comes back to, once: the token is used with it. */
  comeBack(token: string, credential_id: string): Held | null {
    const hash = hashed(token);
    const found = [...this.#held].find((held) => held.resume !== '' && held.resume === hash);
    if (!found || found.credential_id !== credential_id || found.session === null) return null;
    found.resume = '';
    return found;
  }

  /** The terminal that another browser of the same user takes over; its former page comes back to nothing. */
  takeOver(by: Taking, what: string): Held | null {
    const held = this.takeable(by.user_id, what);
    return held && Object.assign(held, by, { resume: '', unknown: 0 });
  }

  takeable(user_id: string, what: string): Held | null {
    return takeable(this.#held, user_id, what);
  }

  /** The limits of each terminal hold whatever can't be found out; one of which too little is known for too long ends. */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const manifest = await this.#found(() => readManifest(this.#services.host));
      for (const held of [...this.#held]) {
        const { session_id } = held;
        const may = manifest === UNKNOWN ? UNKNOWN : await this.#found(() => this.#mayGoOn(held, manifest));
        // Taken over meanwhile: what was found out is of the session before.
        if (held.session_id !== session_id) continue;
        held.unknown = may === UNKNOWN ? held.unknown + 1 : 0;
        if (may === false || held.unknown >= LIMITS.unknown) held.end('revoked');
        else held.session?.look();
      }
    } finally {
      this.#looking = false;
    }
  }

  async #mayGoOn({ local, session_id }: Held, manifest: TerminalManifest | null): Promise<boolean> {
    return opensAt(manifest, local) && (await mayOpen(this.#services, session_id)) !== null;
  }

  async #found<T>(asks: () => Promise<T>): Promise<T | typeof UNKNOWN> {
    try {
      return await asks();
    } catch (error) {
      this.#services.logger.error('web terminal', { failure: { message: (error as Error).message } });
      return UNKNOWN;
    }
  }

  /** `work` never fails. */
  settles(work: Promise<void>): void {
    this.#settling.add(work);
    void work.then(() => this.#settling.delete(work));
  }

  /** Ends all. Once it resolves, recordings and audit log say so. */
  async stop(): Promise<void> {
    for (const held of [...this.#held]) held.end('stopping');
    await Promise.all(this.#settling);
  }
}
