// Reading rows of a collection from CSV, the same for each. Made from the declaration of the collection.

import type { Operation } from '../../shared/kernel/operation/define-operation.ts';
import type { Collection, Stored } from '../../shared/platform/units/collection.ts';
import { IMPORT_ROWS_MOST, readColumns } from '../../shared/platform/units/import-rows.ts';
import { type ImportedRows, importedRows } from '../../shared/platform/units/imported-rows.ts';
import { CodeBlock } from '../components/code.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { ImportView } from './import-view.tsx';

interface Crumb {
  href: string;
  label: string;
}

/** `trail`: the page of the subject, and that of the list where it is another one. */
export function importPage<Item extends Stored>(
  of: Collection<Item> | ImportedRows,
  trail: readonly [Crumb, ...Crumb[]],
): Operation {
  const into = importedRows(of);
  const { page, resource } = into;
  const { nouns, component } = into.listed;
  const title = `Import ${nouns}`;
  return definePage({
    id: `import${component}Page`,
    path: page,
    current: trail[0].href,
    access: { session: `write:${resource}` },
    load: async () => ({}),
    title: () => title,
    view: ({ state, outcome }: ViewProps<object>) => (
      <ImportView
        form={`import${component}Form`}
        title={title}
        trail={trail}
        intro={importIntro(into.most ?? IMPORT_ROWS_MOST, 'rows of CSV')}
        nouns={nouns}
        action={page}
        csrf={state.csrf}
        outcome={outcome}
      >
        <Columns of={into} />
      </ImportView>
    ),
  });
}

export const importIntro = (most: number, rows: string): string =>
  `Up to ${most.toLocaleString('en')} ${rows} at once. A preview says what becomes of each. All of them are saved or none; nothing is deleted.`;

function Columns({ of }: { of: ImportedRows }) {
  const { key, names, without } = of;
  const { nouns } = of.listed;
  const columns = readColumns(of);
  const named = (member: string) => Object.keys(names).find((column) => names[column]!.of === member) ?? member;
  return (
    <section class="stick samples" aria-labelledby="columns">
      <h2 id="columns">Columns</h2>
      <p>
        Those of the file that the list of {nouns} is downloaded as. The first line names them, in any order; what only
        the appliance sets is passed over.
      </p>
      <CodeBlock label="Columns that are read">{columns.join(',')}</CodeBlock>
      <p>
        A row is known by <code>{key.map(named).join(', ')}</code>. Columns that are left out stay as they are, or have
        the default in a new row.
      </p>
      <p class="muted">
        Commas, semicolons or tabs stand between cells. Spaces divide the items of a list. Yes and no are true and
        false.
      </p>
      {without !== undefined && <p>{without}</p>}
    </section>
  );
}
