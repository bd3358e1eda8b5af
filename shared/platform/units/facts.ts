// Facts: the state of a unit as data. Plans, digests and decisions use facts alone; words.ts of each unit turns them
// into words for people. So no label decides anything, and rewording one changes only what is read.

/** Names, addresses, numbers and switches: never a word that was made for people. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [member: string]: Data };

/**
 * `kind name` → value, in the order of a review; without a name where there is only one of a kind. Kinds hold no blank.
 * Two such maps are what is compared.
 */
export type Facts = ReadonlyMap<string, Data>;

/** Kind → type of its value. */
type Values = object;
type KindOf<V> = keyof V & string;

/** One fact that differs; null: the fact does not exist before or after. */
export type Difference<V = Record<string, Data>> = {
  [K in KindOf<V>]: { kind: K; name: string; before: V[K] | undefined; after: V[K] | undefined };
}[KindOf<V>];
/** How it differs. */
export type Way = 'added' | 'changed' | 'removed';

/** A fact as people read it. */
export type Words = readonly [setting: string, value: string];
/** The words for a unit's facts: one function for each kind. */
export type WordsOf<V extends Values> = { [K in KindOf<V>]: (name: string, value: V[K]) => Words };

export const factKey = (kind: string, name = ''): string => (name === '' ? kind : `${kind} ${name}`);

const kindOf = (key: string): string => {
  const blank = key.indexOf(' ');
  return blank < 0 ? key : key.slice(0, blank);
};
export const nameOf = (key: string): string => {
  const blank = key.indexOf(' ');
  return blank < 0 ? '' : key.slice(blank + 1);
};

export const wayOf = ({ before, after }: { before: unknown; after: unknown }): Way =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';

export function sameData(one: Data | undefined, other: Data | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [members, others] = [one as Members, other as Members];
  // Without a list of them: it is asked of each entry of a large directory, and many times an apply.
  let count = 0;
  for (const member in members) {
    if (!sameData(members[member], others[member])) return false;
    count += 1;
  }
  for (const _ in others) count -= 1;
  return count === 0;
}

type Members = Readonly<Record<string, Data>>;

export function sameFacts(one: Facts, other: Facts): boolean {
  if (one.size !== other.size) return false;
  for (const [key, value] of other) {
    const was = one.get(key);
    if (was !== value && !sameData(was, value)) return false;
  }
  return true;
}

/** Facts that differ, in the order of `after`, removed ones last. One at a time: there may be a hundred thousand. */
export function* differences(before: Facts | null, after: Facts): Generator<Difference> {
  for (const [key, value] of after) {
    const was = before?.get(key);
    if (was !== value && !sameData(was, value))
      yield { kind: kindOf(key), name: nameOf(key), before: was, after: value };
  }
  for (const [key, value] of before ?? []) {
    if (!after.has(key)) yield { kind: kindOf(key), name: nameOf(key), before: value, after: undefined };
  }
}

/** Facts of one unit, with the types of its values. */
export function factsOf<V extends { [K in keyof V]: Data }>() {
  return {
    /** Facts to be filled, one kind after the other. */
    list() {
      const facts = new Map<string, Data>();
      const add = <K extends KindOf<V>>(kind: K, value: V[K], name = ''): void =>
        void facts.set(factKey(kind, name), value);
      return { facts, add };
    },
    get: <K extends KindOf<V>>(facts: Facts | null, kind: K, name = ''): V[K] | undefined =>
      facts?.get(factKey(kind, name)) as V[K] | undefined,
    /** All facts of a kind, by name. */
    *all<K extends KindOf<V>>(facts: Facts | null, kind: K): Generator<[name: string, value: V[K]]> {
      const begins = `${kind} `;
      for (const [key, value] of facts ?? []) {
        if (key.startsWith(begins)) yield [key.slice(begins.length), value as V[K]];
      }
    },
    differences: (before: Facts | null, after: Facts): Difference<V>[] =>
      [...differences(before, after)] as unknown as Difference<V>[],
  };
}

/** The words for any fact of the unit. A fact of an unknown kind is shown as it is. */
export const viewOf =
  <V extends Values>(words: WordsOf<V>) =>
  (kind: string, name: string, value: Data): Words => {
    const say = words[kind as KindOf<V>] as ((name: string, value: Data) => Words) | undefined;
    return say ? say(name, value) : [factKey(kind, name), JSON.stringify(value)];
  };

/** `10.0.0.1, 10.0.0.2`, or `none`. */
export const orNone = (items: readonly string[]): string => items.join(', ') || 'none';
export const onOff = (on: boolean): string => (on ? 'on' : 'off');
