// Settings documents of an archive, held against the rules of a save, with the addresses that follow from the interfaces.
import { pagePath } from '../../ground/page-paths.ts';
import type { Blocker } from '../../ground/problems.ts';
import type { NetworkInterface } from '../../platform/interfaces/interface.ts';
import { documentAsSaved } from '../../platform/units/settings-store.ts';
import type { DocumentDifference } from '../apply/applied-rows-difference.ts';
import { SETTINGS } from '../settings.ts';
import type { CollectionDifference } from './difference.ts';
import { type Part, SETTINGS_TABLE } from './tables.ts';

export function documentsToSave(
  part: Part,
  own: readonly CollectionDifference[],
  interfaces: NetworkInterface[],
): { documents: DocumentDifference[]; blockers: Blocker[] } {
  const blockers: Blocker[] = [];
  const rows = own.filter(({ table }) => table === SETTINGS_TABLE).flatMap((difference) => difference.rows);
  const documents = rows.map(({ id, wanted }): DocumentDifference => {
    const document = part.documents.find(({ key }) => key === id)!;
    const definition = SETTINGS.find(({ key }) => key === id);
    const text = wanted!.document as Record<string, unknown>;
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
