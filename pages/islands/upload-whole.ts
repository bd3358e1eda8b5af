// Uploads an installer image, an archive or a file for another machine from the browser: chosen or dropped, sent in pieces with
// figures, paused and gone on with. After the page was left, the page of the medium or of the archive takes the same file and goes on.
import { Pace } from '../../shared/kernel/jobs/pace.ts';
import { bytesOf, byteWords, leftWords, rateWords } from '../components/byte-words.ts';
import { detailOf, Stopped, sendPieces } from './upload-sender.ts';

const EVERY_MS = 500;

/** What is sent: how its page names things, and the appliance. */
interface Kind {
  /** Attribute with the path of the pages; the id of what was begun. */
  to: 'imageTo' | 'archiveTo' | 'remoteTo';
  id: 'medium' | 'archive' | 'file';
  noun: string;
  /** Below the pages: where one is begun, and where the browser goes when all of it is there. */
  begin: string;
  after(id: string, place: HTMLElement): string;
  /** Member of the answer with the id. */
  known: 'medium_id' | 'id';
  nameOf(file: File): string;
  /** What else is said to begin. */
  more?(place: HTMLElement): Record<string, string>;
}

const KINDS: readonly Kind[] = [
  {
    to: 'imageTo',
    id: 'medium',
    noun: 'an image',
    begin: '/upload',
    after: (id) => `/${id}`,
    known: 'medium_id',
    // `VMware-VMvisor-Installer-9.1.iso` → the name of its medium.
    nameOf: ({ name }) => name.replace(/\.iso$/i, '').slice(0, 64),
  },
  {
    to: 'archiveTo',
    id: 'archive',
    noun: 'an archive',
    begin: '/uploads',
    after: (id) => `/${id}/restore`,
    known: 'id',
    nameOf: ({ name }) => name.slice(0, 200),
  },
  {
    to: 'remoteTo',
    id: 'file',
    noun: 'a file',
    begin: '/uploads',
    after: (_id, { dataset }) => `?${new URLSearchParams({ path: dataset.folder! })}`,
    known: 'id',
    nameOf: ({ name }) => name,
    more: (place) => ({
      folder: place.dataset.folder!,
      ...(place.querySelector<HTMLInputElement>('#remote-replace')!.checked && { replace: 'true' }),
    }),
  },
];

export function offerWholeUpload(): void {
  for (const kind of KINDS) {
    const place = document.querySelector<HTMLElement>(`[data-${kind.to.replace('To', '-to')}]`);
    if (place) new WholeUpload(place, kind);
  }
}

class WholeUpload {
  readonly #place: HTMLElement;
  readonly #kind: Kind;
  readonly #input: HTMLInputElement;
  #file: File | null = null;
  #id: string;
  #received: number;
  #sending = false;
  #pace = new Pace();
  #control = new AbortController();

  constructor(place: HTMLElement, kind: Kind) {
    this.#place = place;
    this.#kind = kind;
    this.#id = place.dataset[kind.id] ?? '';
    this.#received = Number(place.dataset.received ?? 0);
    this.#input = place.querySelector<HTMLInputElement>('input[type=file]')!;
    place.hidden = false;
    this.#input.addEventListener('change', () => void this.#chosen(this.#input.files?.[0]));
    this.#takeDrops(place.querySelector<HTMLElement>('.drop')!);
    this.#button('pause').addEventListener('click', () => this.#pause());
    this.#button('resume').addEventListener('click', () => void this.#send());
    window.addEventListener('beforeunload', (leaving) => {
      if (this.#sending) leaving.preventDefault();
    });
    setInterval(() => this.#sending && this.#figures(), EVERY_MS);
  }

  #takeDrops(zone: HTMLElement): void {
    zone.addEventListener('drop', (drop) => void this.#chosen(drop.dataTransfer?.files[0]));
    // Dropped beside the zone it would take the place of the page.
    for (const name of ['dragover', 'drop']) window.addEventListener(name, (drag) => drag.preventDefault());
    for (const name of ['dragenter', 'dragover']) zone.addEventListener(name, () => zone.classList.add('over'));
    for (const name of ['dragleave', 'drop']) zone.addEventListener(name, () => zone.classList.remove('over'));
  }

  async #chosen(file: File | undefined): Promise<void> {
    this.#input.value = '';
    if (!file || this.#sending) return;
    const { size, most } = this.#place.dataset;
    if (file.size === 0) return this.#say('refused', `${file.name} is empty.`);
    if (file.size > Number(most))
      return this.#say(
        'refused',
        `${file.name} has ${byteWords(file.size)}; ${this.#kind.noun} has at most ${byteWords(Number(most))}.`,
      );
    if (size !== undefined && file.size !== Number(size))
      return this.#say('refused', `${file.name} has ${byteWords(file.size)} and is not the file that was begun with.`);
    this.#file = file;
    if (this.#id === '' && !(await this.#begin(file))) return;
    await this.#send();
  }

  async #begin(file: File): Promise<boolean> {
    const name = this.#field('image-name') || this.#kind.nameOf(file);
    const more = this.#kind.more?.(this.#place);
    const { csrf } = this.#place.dataset;
    const body = new URLSearchParams({ csrf: csrf!, name, size_bytes: String(file.size), ...more });
    const headers = { accept: 'application/json' };
    const answer = await fetch(`${this.#to}${this.#kind.begin}`, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
    }).catch(() => null);
    if (answer?.ok) {
      this.#id = ((await answer.json()) as Record<string, string>)[this.#kind.known]!;
      return true;
    }
    this.#say('refused', answer ? await detailOf(answer) : 'No connection to the appliance.');
    return false;
  }

  async #send(): Promise<void> {
    this.#control = new AbortController();
    this.#pace = new Pace();
    this.#show(true);
    const { signal } = this.#control;
    const sum = this.#field('image-sha256').toLowerCase();
    const query = sum === '' ? '' : `&sha256=${encodeURIComponent(sum)}`;
    try {
      await sendPieces({
        file: this.#file!,
        piece: (offset) => `${this.#to}/${this.#id}/content?offset=${offset}${query}`,
        csrf: this.#place.dataset.csrf!,
        most: Number(this.#place.dataset.piece),
        from: this.#received,
        signal,
        sent: (received) => {
          this.#received = received;
          this.#pace.told(performance.now(), received);
        },
        waits: (said) => this.#say('trouble', said),
      });
      this.#sending = false;
      location.assign(`${this.#to}${this.#kind.after(this.#id, this.#place)}`);
    } catch (error) {
      if (signal.aborted) return;
      this.#show(false);
      this.#say('trouble', error instanceof Stopped ? error.message : 'The upload failed; go on to try again.');
    }
  }

  #pause(): void {
    this.#control.abort();
    this.#show(false);
  }

  #show(sending: boolean): void {
    this.#sending = sending;
    for (const part of this.#place.querySelectorAll<HTMLElement>('[data-part]'))
      part.hidden = part.dataset.part !== 'work';
    this.#button('pause').hidden = !sending;
    this.#button('resume').hidden = sending;
    this.#say('trouble', null);
    this.#text('name', this.#file!.name);
    this.#text('state', sending ? 'is being sent' : 'is paused');
    this.#figures();
    this.#button(sending ? 'pause' : 'resume').focus();
  }

  #figures(): void {
    const total = this.#file!.size;
    if (this.#sending) this.#pace.told(performance.now(), this.#received);
    const bar = this.#place.querySelector('progress')!;
    bar.value = Math.floor((this.#received / total) * 1000);
    const share = `${Math.floor(bar.value / 10)} %`;
    bar.setAttribute('aria-valuetext', share);
    const { bytes_per_second, seconds_left } = this.#sending ? this.#pace.figures(total) : {};
    this.#text('share', share);
    this.#text('bytes', bytesOf(this.#received, total));
    this.#text('rate', bytes_per_second === undefined ? '' : rateWords(bytes_per_second));
    this.#text('left', seconds_left === undefined ? '' : leftWords(seconds_left));
  }

  /** Null: nothing is wrong any more. */
  #say(where: 'refused' | 'trouble', said: string | null): void {
    const place = this.#place.querySelector<HTMLElement>(`[data-text="${where}"]`)!;
    place.hidden = said === null;
    this.#text(where, said ?? '');
    if (said !== null && where === 'refused') place.focus();
  }

  #text(name: string, words: string): void {
    const place = this.#place.querySelector(`[data-text="${name}"]`)!;
    if (place.textContent !== words) place.textContent = words;
  }

  #field(id: string): string {
    return this.#place.querySelector<HTMLInputElement>(`#${id}`)?.value.trim() ?? '';
  }

  #button(name: 'pause' | 'resume'): HTMLButtonElement {
    return this.#place.querySelector<HTMLButtonElement>(`[data-do="${name}"]`)!;
  }

  get #to(): string {
    return this.#place.dataset[this.#kind.to]!;
  }
}
