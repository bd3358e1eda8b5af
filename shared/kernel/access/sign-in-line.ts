// The line in which strangers sign in. A stranger comes from a network that has not signed in to this account before.
// One password at a time is checked, so all strangers together get only a few guesses each second.
//
// An account that strangers keep guessing at is slowed further: after 20 failures, turns at that account come 0.5 to
// `LONGEST_PACE` seconds apart, whether or not the account exists. The turn goes to the network with the fewest
// failures in the last hour (an IPv4 address, an IPv6 /48), then to the one that asked first. So an owner at a new
// address waits at most LONGEST_PACE seconds for each network that came before and has not failed yet, and each network
// of an attacker can get ahead once an hour. When the line is full, or a turn does not come within `HELD_MOST`, the
// stranger is asked to try again and keeps the time of the first request as a place. Networks known to the account skip
// the line; the appliance's command line is another way in.
//
// The line is in memory and uses the uptime clock. A restart of the service forgets networks and their failures, but
// not how many failures the account had.
import { siteNetwork } from '../../ground/addresses/source.ts';
import { Problem } from '../../ground/problems.ts';
import { Failures, waitAfter } from './slowing.ts';
import { AT_ONCE, tooManyAtOnce } from './throttle.ts';

/** Seconds between two turns of strangers at one account, at most. */
export const LONGEST_PACE = 5;
const PACE = { free: 20, first_wait: 0.5, longest_wait: LONGEST_PACE };
/** Seconds that a stranger waits before being asked to try again. */
const HELD_MOST = 20;
/** Those who wait, in all. */
const WAITING_MOST = 64;
/** Seconds that the failures of a network are remembered, and the place of one that was asked to try again. */
const REMEMBERED = { failures: 3600, asked: 600 };
/** Networks of which either is remembered. */
const NETWORKS_MOST = 4096;

/** Seconds between two turns of strangers after so many failures. */
export const paceAfter = (failures: number): number => waitAfter(PACE, failures);

export interface LineTime {
  /** Milliseconds of the uptime clock. */
  now(): number;
  /** Calls `wake` after so many milliseconds; answers what forgets it. */
  after(milliseconds: number, wake: () => void): () => void;
}

export interface Asking {
  /** By sourceNetwork(). */
  network: string;
  /** Digest of the given name. */
  account: string;
}

interface Waiting extends Asking {
  asked: number;
  until: number;
  go(): Promise<void>;
  refuse(): void;
}

export class SignInLine {
  readonly #time: LineTime;
  /** In the order of arrival. */
  #waiting: Waiting[] = [];
  #running: Waiting | null = null;
  /** When the next turn of an account is. */
  readonly #next = new Map<string, number>();
  /** Of sites: a network of IPv6 is one of 65,536 that its owner has. */
  readonly #failures: Failures;
  /** When a network that is still waiting came first. */
  readonly #asked = new Map<string, number>();
  #forgetWake: (() => void) | null = null;

  constructor(time: LineTime) {
    this.#time = time;
    this.#failures = new Failures(() => time.now(), { most: NETWORKS_MOST, seconds: REMEMBERED.failures });
  }

  /** Runs `work` when it is the turn of it. @throws Problem 429 with the seconds after which to come back */
  take<T>(asking: Asking, work: () => Promise<T>): Promise<T> {
    const { network } = asking;
    const own = [this.#running, ...this.#waiting].filter((each) => each?.network === network);
    if (own.length >= AT_ONCE) return Promise.reject(tooManyAtOnce(network));
    return new Promise((resolve, reject) => {
      const now = this.#time.now();
      this.#waiting.push({
        ...asking,
        asked: this.#firstAsked(network, now),
        until: now + HELD_MOST * 1000,
        go: () => work().then(resolve, reject),
        refuse: () => reject(comeBack()),
      });
      if (this.#waiting.length > WAITING_MOST) this.#remove(this.#inOrder().at(-1)!).refuse();
      this.#look();
    });
  }

  /** The stranger whose turn it is was wrong: so many times in all, at this account. Called before the turn ends. */
  failed({ network, account }: Asking, failures: number): void {
    this.#failures.add(siteNetwork(network));
    const pace = paceAfter(failures);
    if (pace > 0) this.#next.set(account, this.#time.now() + pace * 1000);
  }

  #look(): void {
    if (this.#running) return;
    this.#forgetWake?.();
    this.#forgetWake = null;
    const now = this.#time.now();
    for (const [account, at] of this.#next) if (at <= now) this.#next.delete(account);
    for (const late of this.#waiting.filter(({ until }) => until <= now)) this.#remove(late).refuse();
    const next = this.#inOrder().find(({ account }) => !this.#next.has(account));
    if (next) return void this.#turn(this.#remove(next));
    if (this.#waiting.length === 0) return;
    const moments = this.#waiting.flatMap(({ account, until }) => [until, this.#next.get(account) ?? until]);
    this.#forgetWake = this.#time.after(Math.min(...moments) - now, () => this.#look());
  }

  async #turn(turn: Waiting): Promise<void> {
    this.#running = turn;
    this.#asked.delete(turn.network);
    await turn.go();
    this.#running = null;
    this.#look();
  }

  #remove(waiting: Waiting): Waiting {
    this.#waiting = this.#waiting.filter((each) => each !== waiting);
    return waiting;
  }

  /** Who is next first, who has to go when there are too many last. */
  #inOrder(): Waiting[] {
    return this.#waiting.toSorted(
      (a, b) => this.#failuresOf(a.network) - this.#failuresOf(b.network) || a.asked - b.asked,
    );
  }

  #failuresOf(network: string): number {
    return this.#failures.of(siteNetwork(network));
  }

  #firstAsked(network: string, now: number): number {
    const first = this.#asked.get(network);
    if (first !== undefined && now - first < REMEMBERED.asked * 1000) return first;
    this.#asked.delete(network);
    // When there are too many, the last ones are not remembered: earlier places stay.
    for (const [oldest, at] of this.#asked) {
      if (now - at < REMEMBERED.asked * 1000) break;
      this.#asked.delete(oldest);
    }
    if (this.#asked.size < NETWORKS_MOST) this.#asked.set(network, now);
    return now;
  }
}

const comeBack = (): Problem =>
  new Problem(
    'too_many_attempts',
    `Many sign-ins from unknown addresses are failing, so those addresses take turns. Try again in ${LONGEST_PACE} s: you keep your place in line.`,
    { retry_after: LONGEST_PACE },
  );
