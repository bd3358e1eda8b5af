// Reading properties of managed objects: of everything of some types, page by page, or of one object.

import { childOf, childrenOf, textOf, type XmlElement } from '../../ground/xml/element.ts';
import { elementsAround } from '../../ground/xml/parse.ts';
import { VsphereFault } from './fault.ts';
import type { VsphereSession } from './session.ts';
import { type ObjectRef, refOf, refXml, textXml } from './soap.ts';

export interface ObjectFacts {
  ref: ObjectRef;
  /** Path → value, without values that are not set or hidden from this account. */
  properties: ReadonlyMap<string, XmlElement>;
}

const PAGE_OBJECTS = 200;
const PAGE_BYTES = 16 << 20;
/** Milliseconds for one page. */
const PAGE_MS = 120_000;
/** Milliseconds for giving something back there. */
const RETURN_MS = 10_000;

interface Bounds {
  pages: number;
  objects: number;
  /** Of all pages: what is kept of them takes several times as much. */
  characters: number;
  elements: number;
  /** Milliseconds for all of it. */
  time: number;
}

const OF_ALL: Bounds = { pages: 1500, objects: 200_000, characters: 64 << 20, elements: 1_000_000, time: 600_000 };
const OF_ONE: Bounds = { pages: 5, objects: 5, characters: 16 << 20, elements: 250_000, time: 180_000 };

/**
 * Everything of these types below the root, with the named properties of each.
 * @throws VsphereFault, Problem of the connection; the signal's reason
 */
export async function retrieveAll(
  session: VsphereSession,
  paths: Readonly<Record<string, readonly string[]>>,
  { signal, what = 'read the inventory' }: { signal?: AbortSignal | undefined; what?: string } = {},
): Promise<ObjectFacts[]> {
  const { viewManager, rootFolder } = session.services;
  const types = Object.keys(paths);
  const made = await session.call({
    ...{ method: 'CreateContainerView', on: viewManager, what, signal },
    inside: `${refXml('container', rootFolder)}${types.map((type) => textXml('type', type)).join('')}${textXml('recursive', true)}`,
  });
  const view = refOf(childOf(made, 'returnval'));
  if (!view) throw new VsphereFault('unreadable', 'The server gave no view of its inventory.');
  try {
    const traversal = `<selectSet xsi:type="TraversalSpec">${textXml('name', 'view')}${textXml('type', 'ContainerView')}${textXml('path', 'view')}${textXml('skip', false)}</selectSet>`;
    const objects = `<objectSet>${refXml('obj', view)}${textXml('skip', true)}${traversal}</objectSet>`;
    return await pages(session, `<specSet>${propSets(paths)}${objects}</specSet>`, { signal, what, most: OF_ALL });
  } finally {
    // Views live as long as the session; a read that failed for another reason is not made worse by this.
    const timeout = signal?.aborted ? RETURN_MS / 10 : RETURN_MS;
    await session.call({ method: 'DestroyView', on: view, what: 'end a view', timeout }).catch(() => undefined);
  }
}

/** @throws VsphereFault `gone` when the object no longer exists */
export async function retrieveOne(
  session: VsphereSession,
  ref: ObjectRef,
  paths: readonly string[],
  { signal, what }: { signal?: AbortSignal | undefined; what: string },
): Promise<ReadonlyMap<string, XmlElement>> {
  const spec = `<specSet>${propSets({ [ref.type]: paths })}<objectSet>${refXml('obj', ref)}${textXml('skip', false)}</objectSet></specSet>`;
  const [found] = await pages(session, spec, { signal, what, most: OF_ONE });
  return found?.properties ?? new Map();
}

const propSets = (paths: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(paths)
    .map(([type, names]) => {
      const all = textXml('all', false);
      return `<propSet>${textXml('type', type)}${all}${names.map((name) => textXml('pathSet', name)).join('')}</propSet>`;
    })
    .join('');

async function pages(
  session: VsphereSession,
  spec: string,
  { signal, what, most }: { signal: AbortSignal | undefined; what: string; most: Bounds },
): Promise<ObjectFacts[]> {
  const on = session.services.propertyCollector;
  const bounds = { on, what, signal, limit: PAGE_BYTES, timeout: PAGE_MS };
  const options = `<options>${textXml('maxObjects', PAGE_OBJECTS)}</options>`;
  const until = performance.now() + most.time;
  let answer = await session.call({ ...bounds, method: 'RetrievePropertiesEx', inside: `${spec}${options}` });
  const found = new Map<string, Collected>();
  const read = { pages: 0, characters: 0, elements: 0 };
  for (;;) {
    read.pages += 1;
    read.characters += answer.source().length;
    read.elements += elementsAround(answer);
    const page = childOf(answer, 'returnval');
    for (const object of childrenOf(page, 'objects')) collect(object, found);
    const token = textOf(page, 'token');
    if (token === null || token === '') return [...found.values()];
    const late = performance.now() > until;
    const large = read.pages > most.pages || read.characters > most.characters || read.elements > most.elements;
    if (late || large || found.size > most.objects) {
      const inside = textXml('token', token);
      await session
        .call({ ...bounds, method: 'CancelRetrievePropertiesEx', inside, timeout: RETURN_MS })
        .catch(() => undefined);
      signal?.throwIfAborted();
      if (late) throw new VsphereFault('not_ready', `The server takes too long to ${what}.`);
      throw new VsphereFault('unreadable', 'The inventory is larger than can be shown here.');
    }
    answer = await session.call({ ...bounds, method: 'ContinueRetrievePropertiesEx', inside: textXml('token', token) });
  }
}

interface Collected extends ObjectFacts {
  properties: Map<string, XmlElement>;
}

/** An object may come more than once, when more than one type of the question fits it. */
function collect(object: XmlElement, found: Map<string, Collected>): void {
  const ref = refOf(childOf(object, 'obj'));
  if (!ref) return;
  const key = `${ref.type}:${ref.id}`;
  const known = found.get(key) ?? { ref, properties: new Map() };
  for (const property of childrenOf(object, 'propSet')) {
    const value = childOf(property, 'val');
    const name = textOf(property, 'name');
    if (value && name) known.properties.set(name, value);
  }
  found.set(key, known);
}

/** References in an array value. */
export const refsIn = (value: XmlElement | undefined): ObjectRef[] =>
  value?.children.flatMap((child) => refOf(child) ?? []) ?? [];
