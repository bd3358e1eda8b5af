// A random state while it is drawn, and short ways to say where it can be broken.
import { type Drawn, swapped, type Target, valueAt } from './real-programs-misses.ts';
import type { Body, Call } from './real-programs-saving.ts';

/** A list of calls that grows, and of the places in them. */
export class Drawing implements Drawn {
  readonly calls: Call[] = [];
  readonly targets: Target[] = [];

  add(call: Call, ...places: Omit<Target, 'call'>[]): void {
    this.calls.push(call);
    for (const place of places) this.targets.push({ ...place, call: this.calls.length - 1 });
  }
}

export const at = (
  name: string,
  path: Target['path'],
  write: Target['write'],
  rest: Partial<Target> = {},
): Omit<Target, 'call'> => ({ name, path, write, ...rest });

/** A fault that the program does not see, so that nothing has to be written. */
export const unseen = (name: string, path: Target['path'], typed: () => unknown): Omit<Target, 'call'> =>
  at(name, path, (content) => content, { typed, silent: true });

/** Replaces the saved value where it stands by itself, on lines that hold what `line` says. */
export const onLine =
  (
    path: Target['path'],
    line: (saved: Body) => string,
    valid = (saved: Body) => valueAt(saved, path),
  ): Target['write'] =>
  (content, typed, saved) =>
    content
      .split('\n')
      .map((text) => (text.includes(line(saved)) ? swapped(text, valid(saved), typed) : text))
      .join('\n');
