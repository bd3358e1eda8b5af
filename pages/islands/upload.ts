// Uploads an OVA from the browser: chosen or dropped, sent in pieces with figures, paused and gone on with, also after the
// page was left: the same file, chosen again, is recognised by its name, its size and when it was changed last.
import { Pace } from '../../shared/kernel/jobs/pace.ts';
import { bytesOf, leftWords, rateWords } from '../components/byte-words.ts';
import { readNow } from './live.ts';
import { nowAndAfterSwaps } from './swapped.ts';
import { detailOf, Stopped, sendPieces } from './upload-sender.ts';

const KEY = 'groundcrew-upload:';
const EVERY_MS = 500;

type Part = 'pick' | 'ask' | 'work';
/** Sending: bytes move. Comparing: the appliance hashes them. */
type State = 'idle' | 'sending' | 'paused' | 'comparing' | 'done' | 'failed';

const WORDS: Readonly<Record<State, string>> = {
  idle: '',
  sending: 'is being sent',
  paused: 'is paused',
  comparing: 'has arrived; its bytes are compared',
  done: 'is in the depot',
  failed: 'is not in the depot',
};

const LOOKS: Partial<Record<State, string>> = { done: 'done', failed: 'failed' };

export function offerUpload(): void {
  const place = document.querySelector<HTMLElement>('[data-upload-to]');
  if (place) new Uploader(place);
}

interface Choice {
  said: string;
  yes: [label: string, work: () => void];
  other?: [label: string, work: () => void];
}

class Uploader {
  readonly #place: HTMLElement;
  readonly #to: string;
  readonly #input: HTMLInputElement;
  readonly #sha256: HTMLInputElement;
  #file: File | null = null;
  #id = '';
  #received = 0;
  #state: State = 'idle';
  #pace = new Pace();
  #control = new AbortController();
  #answers: Partial<Record<string, () => void>> = {};

  constructor(place: HTMLElement) {
    this.#place = place;
    this.#to = place.dataset.uploadTo!;
    this.#input = place.querySelector<HTMLInputElement>('#upload-file')!;
    this.#sha256 = place.querySelector<HTMLInputElement>('#upload-sha256')!;
    place.hidden = false;
    this.#input.addEventListener('change', () => this.#chosen(this.#input.files?.[0]));
    this.#takeDrops(place.querySelector<HTMLElement>('.drop')!);
    const work: Record<string, () => void> = {
      pause: () => this.#pause(),
      resume: () => void this.#send(),
      drop: () => void this.#drop(),
      again: () => this.#pickAnother(),
      yes: () => this.#answers.yes?.(),
      other: () => this.#answers.other?.(),
      no: () => this.#pickAnother(),
    };
    place.addEventListener('click', (click) => {
      const name = (click.target as Element).closest<HTMLElement>('[data-do]')?.dataset.do;
      if (name) work[name]?.();
    });
    window.addEventListener('beforeunload', (leaving) => {
      if (this.#state === 'sending') leaving.preventDefault();
    });
    setInterval(() => this.#state === 'sending' && this.#figures(), EVERY_MS);
    nowAndAfterSwaps(() => {
      this.#follow();
      this.#hideOwn();
    });
  }

  #takeDrops(zone: HTMLElement): void {
    for (const name of ['dragenter', 'dragover'])
      zone.addEventListener(name, (drag) => {
        drag.preventDefault();
        zone.classList.add('over');
      });
    for (const name of ['dragleave', 'drop']) zone.addEventListener(name, () => zone.classList.remove('over'));
    zone.addEventListener('drop', (drop) => {
      drop.preventDefault();
      this.#chosen(drop.dataTransfer?.files[0]);
    });
    // Dropped beside the zone it would take the place of the page.
    for (const name of ['dragover', 'drop']) window.addEventListener(name, (drag) => drag.preventDefault());
  }

  /** One that was begun goes on; another begins. */
  #chosen(file: File | undefined): void {
    this.#input.value = '';
    if (!file) return;
    this.#file = file;
    const known = this.#begun(file);
    if (!known) return void this.#begin(false);
    this.#id = known.dataset.upload!;
    this.#received = Number(known.dataset.received);
    const goOn = () => void this.#send();
    const anew = () => void this.#remove().then(() => this.#begin(false));
    const modified = remembered(this.#id);
    if (modified === String(file.lastModified)) {
      goOn();
      return;
    }
    const there = bytesOf(this.#received, file.size);
    if (modified === null) {
      const said = `An upload of a file with this name and size was begun elsewhere: ${there} are here. Is it the same file?`;
      this.#ask({ said, yes: ['Go on with it', goOn], other: ['Begin anew', anew] });
      return;
    }
    const said = `The file on this computer was changed since its upload was begun, so what is here (${there}) is of no use.`;
    this.#ask({ said, yes: ['Begin anew', anew] });
  }

  #begun(file: File): HTMLElement | undefined {
    return [...document.querySelectorAll<HTMLElement>('[data-upload][data-state="receiving"]')].find(
      ({ dataset }) => dataset.name === file.name && dataset.size === String(file.size),
    );
  }

  async #begin(overwrite: boolean): Promise<void> {
    const { name, size, lastModified } = this.#file!;
    const fields = { name, size_bytes: String(size), sha256: this.#sha256.value.trim() };
    const answer = await this.#post('', { ...fields, ...(overwrite && { overwrite: 'true' }) });
    if (answer?.ok) {
      const { upload_id } = (await answer.json()) as { upload_id: string };
      this.#id = upload_id;
      this.#received = 0;
      remember(upload_id, lastModified);
      readNow();
      return void this.#send();
    }
    const said = answer ? await detailOf(answer.clone()) : 'No connection to the appliance.';
    if (answer && (await codeOf(answer)) === 'depot_file_exists') {
      this.#ask({
        said: `The depot has a file ${name} already. The new one takes its place only when all of it has arrived.`,
        yes: ['Replace it', () => void this.#begin(true)],
      });
      return;
    }
    this.#ask({ said, yes: ['Try again', () => void this.#begin(overwrite)] });
  }

  async #send(): Promise<void> {
    this.#control = new AbortController();
    this.#pace = new Pace();
    this.#show('sending');
    const { signal } = this.#control;
    try {
      await sendPieces({
        file: this.#file!,
        piece: (offset) => `${this.#to}/${this.#id}/content?offset=${offset}`,
        csrf: this.#csrf,
        most: Number(this.#place.dataset.most),
        from: this.#received,
        signal,
        sent: (received) => {
          this.#received = received;
          this.#pace.told(performance.now(), received);
        },
        waits: (said) => this.#trouble(said),
      });
      await this.#complete();
    } catch (error) {
      if (signal.aborted) return;
      const resumable = !(error instanceof Stopped) || error.resumable;
      this.#show(resumable ? 'paused' : 'failed');
      this.#trouble(error instanceof Stopped ? error.message : 'The upload failed; go on to try again.', true);
    }
  }

  async #complete(): Promise<void> {
    this.#figures();
    const sha256 = this.#sha256.value.trim();
    const answer = await this.#post(`/${this.#id}/complete`, sha256 === '' ? {} : { sha256 });
    if (!answer) throw new Stopped('No connection to the appliance; go on to try again.');
    if (answer.ok) {
      this.#show('comparing');
      readNow();
      return;
    }
    if ((await codeOf(answer.clone())) === 'depot_file_exists') {
      this.#offerReplace();
      return;
    }
    throw new Stopped(await detailOf(answer));
  }

  #offerReplace(): void {
    const replace = () => {
      this.#show('comparing');
      void this.#post(`/${this.#id}/complete`, { overwrite: 'true' }).then(readNow);
    };
    this.#show('failed');
    const said = `All bytes of ${this.#file!.name} have arrived, but meanwhile the depot has got another file of this name.`;
    this.#ask({ said, yes: ['Replace it', replace], other: ['Remove the upload', () => void this.#drop()] });
  }

  /** What the appliance says of an upload whose bytes are compared: the list on the page has it. */
  #follow(): void {
    if (this.#state !== 'comparing') return;
    const row = document.querySelector<HTMLElement>(`[data-upload="${this.#id}"]`);
    if (!row) return;
    const { state, percent, fault, faultCode } = row.dataset;
    if (state === 'completing') {
      this.#bar(Number(percent) * 10, `${percent} %`);
    } else if (state === 'done') {
      forget(this.#id);
      this.#bar(1000, '100 %');
      this.#show('done');
    } else if (fault) {
      this.#show('failed');
      if (faultCode === 'depot_file_exists') this.#offerReplace();
      else this.#trouble(fault, true);
    }
  }

  /** What is shown above is not in the list as well, where it would be older. */
  #hideOwn(): void {
    const shown = ['sending', 'paused', 'comparing'].includes(this.#state);
    for (const marker of document.querySelectorAll<HTMLElement>('tr [data-upload]')) {
      marker.closest('tr')!.hidden = shown && marker.dataset.upload === this.#id;
    }
    const table = document.querySelector('tr [data-upload]')?.closest<HTMLElement>('.scroll');
    if (table) table.hidden = table.querySelector('tbody tr:not([hidden])') === null;
  }

  #pause(): void {
    this.#control.abort();
    this.#show('paused');
    readNow();
  }

  async #drop(): Promise<void> {
    this.#control.abort();
    await this.#remove();
    this.#pickAnother();
  }

  async #remove(): Promise<void> {
    await this.#post(`/${this.#id}/delete`, {});
    forget(this.#id);
    readNow();
  }

  #pickAnother(): void {
    this.#sha256.value = '';
    this.#show('idle');
    this.#input.focus();
  }

  #ask({ said, yes, other }: Choice): void {
    this.#part('ask');
    this.#text('ask', said);
    this.#answers = { yes: yes[1], ...(other && { other: other[1] }) };
    this.#button('yes').textContent = yes[0];
    this.#button('other').hidden = other === undefined;
    this.#button('other').textContent = other?.[0] ?? '';
    this.#button('no').textContent = 'Leave it';
    this.#place.querySelector<HTMLElement>('[data-text="ask"]')?.focus();
  }

  #show(state: State): void {
    this.#state = state;
    this.#part(state === 'idle' ? 'pick' : 'work');
    this.#hideOwn();
    this.#trouble(null);
    if (state === 'idle') return;
    this.#text('name', this.#file!.name);
    this.#text('state', WORDS[state]);
    this.#place.querySelector('.told')!.className = `told told-${LOOKS[state] ?? 'running'}`;
    const shown: Record<string, boolean> = {
      pause: state === 'sending',
      resume: state === 'paused',
      drop: state === 'sending' || state === 'paused' || state === 'failed',
      again: state === 'done' || state === 'failed',
    };
    for (const [name, is] of Object.entries(shown)) this.#button(name).hidden = !is;
    this.#figures();
    if (!document.activeElement || document.activeElement === document.body) {
      this.#place.querySelector<HTMLElement>('[data-part="work"] [data-do]:not([hidden])')?.focus();
    }
  }

  #figures(): void {
    const total = this.#file!.size;
    const sending = this.#state === 'sending';
    if (sending || this.#state === 'paused') {
      if (sending) this.#pace.told(performance.now(), this.#received);
      const share = Math.floor((this.#received / total) * 1000);
      this.#bar(share, `${Math.floor(share / 10)} %`);
    }
    const { bytes_per_second, seconds_left } = sending ? this.#pace.figures(total) : {};
    this.#text('bytes', sending || this.#state === 'paused' ? bytesOf(this.#received, total) : bytesOf(total, total));
    this.#text('rate', bytes_per_second === undefined ? '' : rateWords(bytes_per_second));
    this.#text('left', seconds_left === undefined ? '' : leftWords(seconds_left));
  }

  #bar(thousandths: number, share: string): void {
    const bar = this.#place.querySelector('progress')!;
    bar.value = thousandths;
    bar.setAttribute('aria-valuetext', share);
    this.#text('share', share);
  }

  #trouble(said: string | null, focus = false): void {
    const place = this.#place.querySelector<HTMLElement>('[data-text="trouble"]')!;
    place.hidden = said === null;
    if (place.textContent !== (said ?? '')) place.textContent = said ?? '';
    if (focus && said !== null) place.focus();
  }

  #part(part: Part): void {
    for (const each of this.#place.querySelectorAll<HTMLElement>('[data-part]'))
      each.hidden = each.dataset.part !== part;
  }

  #text(name: string, words: string): void {
    const place = this.#place.querySelector(`[data-text="${name}"]`)!;
    if (place.textContent !== words) place.textContent = words;
  }

  #button(name: string): HTMLButtonElement {
    return this.#place.querySelector<HTMLButtonElement>(`[data-do="${name}"]`)!;
  }

  get #csrf(): string {
    return this.#place.dataset.csrf!;
  }

  /** Null when nothing answered. */
  #post(path: string, fields: Record<string, string>): Promise<Response | null> {
    const body = new URLSearchParams({ csrf: this.#csrf, ...fields });
    const headers = { accept: 'application/json' };
    return fetch(this.#to + path, { method: 'POST', body, headers, redirect: 'manual' }).catch(() => null);
  }
}

const codeOf = async (answer: Response): Promise<string | undefined> =>
  ((await answer.json().catch(() => null)) as { error_code?: string } | null)?.error_code;

/** When the file was changed last, as it was when its upload was begun in this browser; null: it was not. */
function remembered(id: string): string | null {
  try {
    return localStorage.getItem(KEY + id);
  } catch {
    return null;
  }
}

function remember(id: string, modified: number): void {
  try {
    localStorage.setItem(KEY + id, String(modified));
  } catch {
    // Storage is switched off: choosing the file again asks whether it is the same.
  }
}

function forget(id: string): void {
  try {
    localStorage.removeItem(KEY + id);
  } catch {
    // Nothing was kept.
  }
}
