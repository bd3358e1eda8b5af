// Reading properties of managed objects: of everything of some types, page by page, or of one object.
import { VsphereFault } from './fault.ts';
import type { VsphereSession } from './session.ts';
import { type ObjectRef, refOf, refXml, textXml } from './soap.ts';
import { childOf, childrenOf, textOf, type XmlElement } from './xml.ts';

export interface ObjectFacts {
  ref: ObjectRef;
  /** Path → its value; what is not set, or not for this account, is missing. */
  properties: ReadonlyMap<string, XmlElement>;
}

const PAGE_OBJECTS = 500;
const PAGE_BYTES = 16 << 20;
const MOST_OBJECTS = 200_000;
const MOST_PAGES = 1500;
/** Of all pages: what is kept of them takes several times as much. */
const MOST_CHARACTERS = 64 << 20;
/** Milliseconds for one page. */
const PAGE_MS = 120_000;

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
    return await pages(session, `<specSet>${propSets(paths)}${objects}</specSet>`, { signal, what });
  } finally {
    // Views live as long as the session; a read that failed for another reason is not made worse by this.
    await session.call({ method: 'DestroyView', on: view, what: 'end a view', timeout: 10_000 }).catch(() => undefined);
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
  const [found] = await pages(session, spec, { signal, what });
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
  { signal, what }: { signal: AbortSignal | undefined; what: string },
): Promise<ObjectFacts[]> {
  const on = session.services.propertyCollector;
  const bounds = { on, what, signal, limit: PAGE_BYTES, timeout: PAGE_MS };
  const options = `<options>${textXml('maxObjects', PAGE_OBJECTS)}</options>`;
  let answer = await session.call({ ...bounds, method: 'RetrievePropertiesEx', inside: `${spec}${options}` });
  const found = new Map<string, ObjectFacts>();
  let characters = 0;
  for (let read = 1; ; read++) {
    characters += answer.source().length;
    const page = childOf(answer, 'returnval');
    for (const object of childrenOf(page, 'objects')) collect(object, found);
    const token = textOf(page, 'token');
    if (token === null || token === '') return [...found.values()];
    if (found.size > MOST_OBJECTS || read > MOST_PAGES || characters > MOST_CHARACTERS) {
      await session
        .call({ ...bounds, method: 'CancelRetrievePropertiesEx', inside: textXml('token', token) })
        .catch(() => undefined);
      throw new VsphereFault('unreadable', 'The inventory is larger than can be shown here.');
    }
    answer = await session.call({ ...bounds, method: 'ContinueRetrievePropertiesEx', inside: textXml('token', token) });
  }
}

/** An object may come more than once, when more than one type of the question fits it. */
function collect(object: XmlElement, found: Map<string, ObjectFacts>): void {
  const ref = refOf(childOf(object, 'obj'));
  if (!ref) return;
  const key = `${ref.type}:${ref.id}`;
  const properties = new Map(found.get(key)?.properties);
  for (const property of childrenOf(object, 'propSet')) {
    const value = childOf(property, 'val');
    const name = textOf(property, 'name');
    if (value && name) properties.set(name, value);
  }
  found.set(key, { ref, properties });
}

/** References in an array value. */
export const refsIn = (value: XmlElement | undefined): ObjectRef[] =>
  value?.children.flatMap((child) => refOf(child) ?? []) ?? [];
