// Settings documents of an archive, held against the rules of a save, with the addresses that follow from the interfaces.
import { isDeepStrictEqual } from 'node:util';
import { pagePath } from '../../ground/page-paths.ts';
import type { Blocker } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { savedDocuments } from '../../platform/units/documents.ts';
import { documentAsSaved } from '../../platform/units/settings-store.ts';
import type { DocumentDifference } from '../apply/applied-rows-difference.ts';
import type { KeptDocument } from '../apply/applied-rows-tables.ts';
import { SETTINGS } from '../settings.ts';
import type { CollectionDifference } from './difference.ts';
import { type Part, SETTINGS_TABLE } from './tables.ts';

export function documentsToSave(
  part: Part,
  own: readonly CollectionDifference[],
  interfaces: NetworkInterface[],
): { documents: DocumentDifference[]; blockers: Blocker[] } {
  const rows = own.filter(({ table }) => table === SETTINGS_TABLE).flatMap((difference) => difference.rows);
  return asSaved(
    rows.map(({ id, wanted }) => ({
      document: part.documents.find(({ key }) => key === id)!,
      text: wanted!.document as Record<string, unknown>,
    })),
    interfaces,
  );
}

/**
 * Documents that stay in a part of which something comes. Their addresses are those of the interfaces that will be: nobody
 * else has them follow, since what comes follows from the interfaces of the archive.
 */
export async function documentsThatFollow(
  tx: Transaction,
  part: Part,
  coming: readonly DocumentDifference[],
  interfaces: NetworkInterface[],
): Promise<{ documents: DocumentDifference[]; blockers: Blocker[] }> {
  const come = new Set(coming.map(({ document }) => document.key));
  const stay = part.documents.filter(({ key }) => !come.has(key));
  const saved = await savedDocuments<Record<string, unknown>>(
    tx,
    stay.map(({ key }) => key),
  );
  const standing = stay.flatMap((document) => {
    const text = saved.get(document.key);
    if (!text || !('listen_addresses' in text)) return [];
    const { listen_addresses: _derived, ...own } = text;
    return [{ document, text: own }];
  });
  const { documents, blockers } = asSaved(standing, interfaces);
  const moved = documents.filter(({ document, text }) => !isDeepStrictEqual(JSON.parse(text), saved.get(document.key)));
  return { documents: moved, blockers };
}

/** As a save would write them. */
function asSaved(
  all: readonly { document: KeptDocument; text: Record<string, unknown> }[],
  interfaces: NetworkInterface[],
): { documents: DocumentDifference[]; blockers: Blocker[] } {
  const blockers: Blocker[] = [];
  const documents = all.map(({ document, text }): DocumentDifference => {
    const definition = SETTINGS.find(({ key }) => key === document.key);
    if (!definition) return { document, text: JSON.stringify(text) };
    const { faults, document: saved } = documentAsSaved(definition, text, interfaces);
    for (const { pointer, detail } of faults) {
      blockers.push({
        subject: document.label,
        reason: `${pointer.slice(1)}: ${detail}`,
        page: pagePath('apply'),
        unblock: 'Leave it out, or choose what it needs as well',
      });
    }
    return { document, text: JSON.stringify(saved) };
  });
  return { documents, blockers };
}
