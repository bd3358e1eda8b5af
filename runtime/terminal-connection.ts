// One WebSocket of the web terminal: ticket, sign-in at the operating system, and then the terminal itself.
import { readFile } from 'node:fs/promises';
import type { RawData, WebSocket } from 'ws';
import { instant, newId } from '../shared/ground/clock.ts';
import { Problem } from '../shared/ground/problems.ts';
import type { Actor } from '../shared/kernel/access/actor.ts';
import { forgetFailures, noteFailure } from '../shared/kernel/access/throttle.ts';
import { type AuditContext, appendAudit } from '../shared/kernel/audit/audit.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { HOST_KEY_PUBLIC, SOCKET } from '../shared/services/web-terminal/files.ts';
import { opensAt, readManifest, type TerminalManifest } from '../shared/services/web-terminal/manifest.ts';
import type { Recorder } from '../shared/services/web-terminal/recording/recorder.ts';
import { CLOSINGS, type Closing } from '../shared/services/web-terminal/session/closing.ts';
import { forgiven, shellGuesser } from '../shared/services/web-terminal/session/guesser.ts';
import { LIMITS } from '../shared/services/web-terminal/session/limits.ts';
import { mayOpen } from '../shared/services/web-terminal/session/may-open.ts';
import { type FromPage, fromPage, type Prompt, promptText } from '../shared/services/web-terminal/session/messages.ts';
import { whatOf } from '../shared/services/web-terminal/session/open-terminals.ts';
import { fingerprintIn, NoShell, openShell, type Shell } from '../shared/services/web-terminal/session/shell.ts';
import { hashed, type Ticket, ticketsOf } from '../shared/services/web-terminal/session/tickets.ts';
import { serverText } from '../shared/vcf/connection/target.ts';
import type { DoorTimes } from './terminal-door.ts';
import { beginRecording, endRecording, hasRoom } from './terminal-recording.ts';
import { openRemoteShell } from './terminal-remote.ts';
import { type Ended, TerminalSession, type Wire } from './terminal-session.ts';
import type { Held, TerminalSessions } from './terminal-sessions.ts';

export interface Caller {
  actor: Actor;
  session_id: string;
  local: string;
  source_address: string;
}

interface Options {
  services: Services;
  sessions: TerminalSessions;
  ws: WebSocket;
  caller: Caller;
  times: DoorTimes;
}

type FirstMessage = Extract<FromPage, { type: 'ticket' | 'resume' }>;

export class TerminalConnection {
  readonly #options: Options;
  readonly #wire: Wire;
  readonly #abort = new AbortController();
  readonly #ping: NodeJS.Timeout;
  #state: 'new' | 'signing in' | 'open' | 'over' = 'new';
  #timer: NodeJS.Timeout;
  #answers: { count: number; take(answers: string[]): void } | null = null;
  #held: Held | null = null;
  /** Its place while it signs in. */
  #taken: Held | null = null;
  #alive = true;
  #refused = false;
  #answered = false;

  constructor(options: Options) {
    this.#options = options;
    const { ws, times } = options;
    this.#wire = wireOf(ws);
    this.#timer = setTimeout(() => this.close('ticket'), times.ticket_ms ?? LIMITS.ticket_ms);
    this.#ping = setInterval(() => this.#beat(), LIMITS.ping_ms);
    ws.on('pong', () => (this.#alive = true));
    ws.on('message', (data, binary) => this.#heard(data, binary));
    ws.on('error', () => undefined);
    ws.on('close', () => this.#gone());
  }

  /** Whether it has shown what lets it in. */
  get known(): boolean {
    return this.#state !== 'new';
  }

  #over(): boolean {
    return this.#state === 'over';
  }

  close(cause: Closing, words?: string): void {
    if (this.#state === 'over') return;
    const { code, says: plain } = CLOSINGS[cause];
    const says = words ?? plain;
    this.#wire.say({ type: 'closing', cause, says });
    this.#wire.close(code, cause);
    this.#gone();
  }

  #beat(): void {
    const { ws } = this.#options;
    if (this.#alive) ws.ping();
    else ws.terminate();
    this.#alive = false;
  }

  #gone(): void {
    if (this.#state === 'over') return;
    const open = this.#state === 'open';
    this.#state = 'over';
    clearTimeout(this.#timer);
    clearInterval(this.#ping);
    if (open) {
      this.#held?.session?.detach(this.#wire);
      return;
    }
    this.#abort.abort();
    if (this.#taken) this.#options.sessions.remove(this.#taken);
  }

  #heard(data: RawData, binary: boolean): void {
    const bytes = data as Buffer;
    if (this.#state === 'over') return;
    if (binary) {
      if (this.#state === 'open') this.#held!.session!.typed(this.#wire, bytes);
      else this.close('malformed');
      return;
    }
    const message = fromPage(bytes.toString('utf8'));
    if (message === null || !this.#told(message)) this.close('malformed');
  }

  #told(message: FromPage): boolean {
    const { type } = message;
    if (this.#state === 'new') {
      if (type === 'ticket') void this.#enter(message);
      else if (type === 'resume') this.#comeBack(message);
      else return false;
      return true;
    }
    if (this.#state === 'open')
      return type !== 'ticket' && type !== 'resume' && this.#held!.session!.told(this.#wire, message);
    // The size is told again once the shell is there.
    if (type === 'resize') return true;
    if (type !== 'answer' || message.answers.length !== this.#answers?.count) return false;
    const { take } = this.#answers;
    this.#answers = null;
    this.#answered = true;
    take(message.answers);
    return true;
  }

  #comeBack({ token, columns, rows }: FirstMessage & { type: 'resume' }): void {
    const { sessions, caller } = this.#options;
    const held = sessions.comeBack(token, caller.actor.credential_id!);
    if (held === null) {
      this.close('gone');
      return;
    }
    clearTimeout(this.#timer);
    this.#show(held, columns, rows);
  }

  async #enter({ ticket, columns, rows, take }: FirstMessage & { type: 'ticket' }): Promise<void> {
    clearTimeout(this.#timer);
    this.#state = 'signing in';
    const { services, caller } = this.#options;
    const found = ticketsOf(services).take(ticket, caller.actor.credential_id!);
    // A cookie that was stolen is not enough, and neither is a ticket that was asked for from elsewhere.
    if (found === null || found.source_address !== caller.source_address) return this.#refuse('ticket', null);
    const manifest = await readManifest(services.host).catch(() => null);
    // Session and role may have ended since the handshake; nothing is opened for as long as the next look would take.
    const may = await mayOpen(services, caller.session_id).catch(() => null);
    if (!may || !opensAt(manifest, caller.local)) return this.#refuse('revoked', found);
    if (this.#over()) return;
    if (take) await this.#takeOver(found, { columns, rows });
    else await this.#signIn(found, manifest, { columns, rows });
  }

  /** The own password was asked for with the ticket; the shell is the user's already. */
  async #takeOver(ticket: Ticket, { columns, rows }: { columns: number; rows: number }): Promise<void> {
    const { sessions, caller, services } = this.#options;
    const { session_id, local, source_address } = caller;
    const by = { session_id, local, source_address, user_id: ticket.user_id, credential_id: ticket.credential_id };
    try {
      const from = sessions.takeable(ticket.user_id, whatOf(ticket))?.source_address;
      if (from === undefined) return this.#refuse('gone', ticket);
      await this.#audit('terminal.take', ticket, { from });
      // It may have ended meanwhile, as this page may have.
      const held = this.#over() ? null : sessions.takeOver(by, whatOf(ticket));
      if (held) this.#show(held, columns, rows, 'taken_over');
      else this.close('gone');
    } catch (error) {
      services.logger.error('web terminal', { failure: { message: (error as Error).message } });
      this.close('failed');
    }
  }

  async #signIn(ticket: Ticket, manifest: TerminalManifest, size: { columns: number; rows: number }): Promise<void> {
    const { services, sessions, times } = this.#options;
    const held = this.#place(whatOf(ticket));
    if (this.#state === 'over') return;
    if (!sessions.add(held, manifest)) return this.#refuse('full', ticket);
    this.#taken = held;
    const late = ticket.remote ? 'remote' : 'refused';
    this.#timer = setTimeout(() => this.#refuse(late, ticket), times.login_ms ?? LIMITS.login_ms);
    try {
      if (!(await hasRoom(services, manifest))) throw new NoShell('unrecorded');
      // Before anything is asked: whoever does not want it leaves.
      if (manifest.recording) this.#wire.say({ type: 'recorded', days: manifest.recording.days });
      const shell = ticket.remote
        ? await openRemoteShell(services, {
            who: this.#who(),
            remote: ticket.remote,
            account: ticket.account,
            ...size,
            signal: this.#abort.signal,
          })
        : await this.#ownShell(ticket, size);
      await this.#opened(held, shell, ticket, manifest, size);
    } catch (error) {
      if (ticket.remote && error instanceof Problem) return this.#remoteRefused(held, ticket, error);
      const cause = error instanceof NoShell ? error.cause_is : 'failed';
      if (cause === 'refused' || this.#abort.signal.aborted) await this.#countGuess(ticket);
      sessions.remove(held);
      if (!(error instanceof NoShell || this.#abort.signal.aborted))
        services.logger.error('web terminal', { failure: { message: (error as Error).message } });
      this.#refuse(cause, ticket);
    } finally {
      clearTimeout(this.#timer);
    }
  }

  async #ownShell({ account }: Ticket, size: { columns: number; rows: number }): Promise<Shell> {
    const { host } = this.#options.services;
    const line = await readFile(host.resolve(HOST_KEY_PUBLIC), 'utf8').catch(() => null);
    return openShell({
      socket: host.resolve(SOCKET),
      account,
      host_key: fingerprintIn(line),
      ...size,
      ask: (prompts) => this.#ask(prompts),
      signal: this.#abort.signal,
    });
  }

  /** What a person can do about it is in the problem: both host keys, where another one was shown. */
  #remoteRefused(held: Held, ticket: Ticket, { code, message }: Problem): void {
    this.#options.sessions.remove(held);
    this.#refuse('remote', ticket, { problem: code, says: message });
  }

  /** Before the page hears of it. One that leaves after its answer, as soon as no shell comes, has guessed too. */
  async #countGuess(ticket: Ticket): Promise<void> {
    if (!this.#answered) return;
    const { store, keys, clock, logger } = this.#options.services;
    const counted = store.write((tx) => noteFailure(tx, shellGuesser(keys, ticket), clock.now()));
    await counted.catch((error: Error) => logger.error('web terminal', { failure: { message: error.message } }));
  }

  #place(what: string): Held {
    const { caller, services } = this.#options;
    const held: Held = {
      what,
      source_address: caller.source_address,
      since: instant(services.clock.now()),
      user_id: caller.actor.user_id!,
      credential_id: caller.actor.credential_id!,
      session_id: caller.session_id,
      local: caller.local,
      session: null,
      resume: '',
      unknown: 0,
      end: (cause) => (held.session ? held.session.end(cause) : this.close(cause)),
    };
    return held;
  }

  /** A page that went away meanwhile gets no shell: nothing was shown that it could come back to. */
  async #opened(
    held: Held,
    shell: Shell,
    ticket: Ticket,
    terms: TerminalManifest,
    size: { columns: number; rows: number },
  ): Promise<void> {
    const { services, sessions, times, caller } = this.#options;
    let recorder: Recorder | null = null;
    const recorded = () => recorder && { recording: recorder.id };
    try {
      recorder = await beginRecording(services, terms, { ...ticket, user: caller.actor.name, ...size });
      await this.#audit('terminal.open', ticket, { ...recorded() });
      // As `failed`, it tells nobody.
      if (this.#over()) throw new NoShell('failed');
    } catch (error) {
      // A shell that is not written down belongs to nobody.
      shell.end();
      void endRecording(services, recorder, 'failed');
      throw error;
    }
    const session = new TerminalSession({
      shell,
      terms: { idle_ms: terms.idle_minutes * 60_000, total_ms: terms.session_minutes * 60_000 },
      ...(times.detached_ms !== undefined && { detached_ms: times.detached_ms }),
      recorder,
      // Whoever works in a terminal asks for no page, and uses the session all the same.
      used: () => services.lastUse.note('session', held.credential_id, services.clock.now(), held.source_address),
      ended: (how) => {
        sessions.remove(held);
        sessions.settles(endRecording(services, recorder, how.cause));
        const written = this.#audit('terminal.close', ticket, { ...closed(how), ...recorded() });
        sessions.settles(
          written.catch((error: Error) =>
            services.logger.error('web terminal', { failure: { message: error.message } }),
          ),
        );
      },
    });
    held.session = session;
    this.#show(held, size.columns, size.rows);
    shell.resume();
  }

  #show(held: Held, columns: number, rows: number, former: 'taken' | 'taken_over' = 'taken'): void {
    this.#held = held;
    this.#state = 'open';
    const resume = this.#options.services.entropy.bytes(32).toString('base64url');
    held.resume = hashed(resume);
    held.session!.attach(this.#wire, { resume, columns, rows }, former);
  }

  #ask(prompts: Prompt[]): Promise<string[]> {
    const shown = prompts.map(({ prompt, echo }) => ({ prompt: promptText(prompt), echo }));
    this.#wire.say({ type: 'prompt', prompts: shown });
    return new Promise((resolve) => (this.#answers = { count: prompts.length, take: resolve }));
  }

  /** Told to the page if it is still there, and written in any case. */
  #refuse(cause: Closing, ticket: Ticket | null, why?: { problem: string; says: string }): void {
    if (this.#refused) return;
    this.#refused = true;
    const { services } = this.#options;
    void this.#audit('terminal.refuse', ticket, { cause, ...(why && { problem: why.problem }) }).catch((error: Error) =>
      services.logger.error('web terminal', { failure: { message: error.message } }),
    );
    this.close(cause, why?.says);
  }

  #who(): AuditContext {
    const { services, caller } = this.#options;
    const { actor, source_address } = caller;
    return { at: instant(services.clock.now()), actor, request_id: newId('req', services.entropy), source_address };
  }

  async #audit(action: string, ticket: Ticket | null, detail: Record<string, unknown>): Promise<void> {
    const { services } = this.#options;
    const who = this.#who();
    const event = {
      action,
      resource_type: 'terminal',
      resource_id: null,
      outcome: action === 'terminal.refuse' ? ('failure' as const) : ('success' as const),
      detail: { ...(ticket && { account: ticket.account, ...machineOf(ticket) }), ...detail },
    };
    // Also while an apply owns all mutations: it changes nothing, and must not go unwritten.
    await services.store.write(async (tx) => {
      await appendAudit(tx, services.keys, who, event, { holdsLock: true });
      if (action === 'terminal.open') await forgetFailures(tx, forgiven(shellGuesser(services.keys, ticket!)));
    });
  }
}

/** Which other machine, by which entry. */
const machineOf = ({ remote }: Ticket) => remote && { target: serverText(remote), entry_id: remote.entry_id };

const closed = ({ cause, seconds, bytes_in, bytes_out }: Ended) => ({ cause, seconds, bytes_in, bytes_out });

function wireOf(ws: WebSocket): Wire {
  return {
    say: (message) => ws.send(JSON.stringify(message), { binary: false }, () => undefined),
    print: (bytes, done) => ws.send(bytes, { binary: true }, done),
    close: (code, reason) => {
      ws.close(code, reason);
      // Whoever reads nothing, or answers no close, is not waited for.
      setTimeout(() => ws.terminate(), LIMITS.close_ms).unref();
    },
    pause: () => ws.pause(),
    resume: () => ws.resume(),
  };
}
