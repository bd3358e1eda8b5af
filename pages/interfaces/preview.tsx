// What saving would move, before it is saved: the count first, then every value from what to what by unit, selections
// that go, notes; or what stands in the way. Made for the answer of a dry run; the script of the page swaps it in place.

import type { ComponentChildren } from 'preact';
import type { Blocker } from '../../shared/ground/problems.ts';
import type { InterfaceImpact } from '../../shared/platform/interfaces/interface-resource.ts';
import { unitName } from '../../shared/platform/unit-names.ts';
import { Note } from '../components/block.tsx';
import { More } from '../components/code.tsx';
import { PageLink } from '../components/page-link.tsx';
import { Scroll } from '../components/scroll.tsx';
import { State } from '../components/state-word.tsx';
import { onOff } from './filled.ts';
import { type Foreseen, sentenceOf } from './foreseen.ts';

/** Ids that the script of the page fills from the answer of a dry run. */
export const PREVIEW = 'preview';
const SAID = 'preview-said';

/** Rows of one unit, and blockers, before "and N more". */
const ROWS_MOST = 8;
const BLOCKERS_MOST = 10;

export interface PreviewProps {
  foreseen: Foreseen | null;
  /** Name of the interface or VLAN, heading its own settings. */
  name: string;
  labels: Readonly<Record<string, string>>;
}

/** The panel. It is there while empty too: the script fills it. */
export function Preview({ foreseen, name, labels }: PreviewProps) {
  return (
    <div id={PREVIEW} class="preview">
      {foreseen?.unseen && <Note>{foreseen.unseen}</Note>}
      {foreseen && !foreseen.unseen && (
        <section class="impact" aria-labelledby="check">
          <h2 id="check">{sentenceOf(foreseen)}</h2>
          {foreseen.refused && <Hindrance {...foreseen.refused} title={titleOf(foreseen.refused)} />}
          {foreseen.impact && <Impact impact={foreseen.impact} name={name} labels={labels} />}
          {foreseen.act !== 'delete' && <Note>{checkedWords(foreseen)}</Note>}
        </section>
      )}
    </div>
  );
}

const checkedWords = ({ impact }: Foreseen): string =>
  impact && impact.moves_total > 0 ? 'Checked, not saved. Saving writes all of it or nothing.' : 'Checked, not saved.';

/** The heading counts what blocks; only what nobody is to blame for needs a title of its own. */
const titleOf = ({ title, blockers }: NonNullable<Foreseen['refused']>): string => (blockers.length > 0 ? '' : title);

/** Beside the buttons: the count when something is foreseen, else what saving means. */
export function Said({ foreseen, otherwise }: { foreseen: Foreseen | null; otherwise: string }) {
  return (
    <span id={SAID} role="status">
      {foreseen === null ? (
        otherwise
      ) : foreseen.unseen ? (
        foreseen.unseen
      ) : foreseen.refused ? (
        <State kind="bad">
          <a href={`#${PREVIEW}`}>{sentenceOf(foreseen)}</a>
        </State>
      ) : (
        <>
          <a href={`#${PREVIEW}`}>{sentenceOf(foreseen)}</a>. The host follows at the next reviewed apply.
        </>
      )}
    </span>
  );
}

/** Where the panel lies below the form: the way to it, on top. */
export function Jump({ foreseen }: { foreseen: Foreseen | null }) {
  if (foreseen === null || foreseen.unseen) return null;
  return (
    <p class="note jump">
      <span>
        Checked, not saved. <a href={`#${PREVIEW}`}>{sentenceOf(foreseen)}</a>.
      </span>
    </p>
  );
}

type HindranceProps = NonNullable<Foreseen['refused']> & {
  /** Of its heading. */
  level?: 'h2' | 'h3';
};

/** A refusal: everything that stands in the way, or the refusal in words when nothing can be named. */
export function Hindrance({ title, detail, blockers, level = 'h3' }: HindranceProps) {
  const Heading = level;
  return (
    <div class="block">
      {title !== '' && (
        <Heading>
          <State kind="bad">{title}</State>
        </Heading>
      )}
      {blockers.length > 0 ? <BlockerList blockers={blockers} /> : <p>{detail}</p>}
    </div>
  );
}

/** Each thing that stands in the way: what, why, and the smallest edit with the page where it is made. */
const blockerLine = ({ subject, reason, page, unblock }: Blocker) => (
  <li key={`${subject} ${reason}`}>
    <b>{subject}.</b> {reason} <PageLink href={page}>{unblock}</PageLink>
  </li>
);

function BlockerList({ blockers }: { blockers: readonly Blocker[] }) {
  const rest = blockers.slice(BLOCKERS_MOST);
  return (
    <>
      <ul class="blockers">{blockers.slice(0, BLOCKERS_MOST).map(blockerLine)}</ul>
      {rest.length > 0 && (
        <More summary={`and ${rest.length} more`}>
          <ul class="blockers">{rest.map(blockerLine)}</ul>
        </More>
      )}
    </>
  );
}

function Impact({ impact, name, labels }: { impact: InterfaceImpact; name: string; labels: PreviewProps['labels'] }) {
  const { changed, moves, moves_total, deselected, notes, refreshed_units } = impact;
  const groups = refreshed_units.map((unit) => ({ unit, own: moves.filter((move) => move.unit === unit) }));
  return (
    <>
      {changed.length + moves.length > 0 && (
        <Scroll class="scroll" label="What saving changes">
          <table class="dense moves">
            <caption class="vh">What saving changes</caption>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Saved</th>
                <th scope="col">Becomes</th>
              </tr>
            </thead>
            {changed.length > 0 && (
              <Group title={<code>{name}</code>} rows={changed.length}>
                {changed.map(({ property, from, to }) => (
                  <Row key={property} from={said(from)} to={said(to)}>
                    {labels[property] ?? property}
                  </Row>
                ))}
              </Group>
            )}
            {groups.map(({ unit, own }) => (
              <UnitMoves key={unit} unit={unit} moves={own} cut={moves_total > moves.length} />
            ))}
          </table>
        </Scroll>
      )}
      {deselected.map(({ subject, page, interface: gone }) => (
        <Note key={`${subject} ${gone}`} icon="warn">
          <PageLink href={page}>{subject}</PageLink> is no longer bound to <code>{gone}</code>.
        </Note>
      ))}
      {notes.map((note) => (
        <Note key={note}>{note}</Note>
      ))}
    </>
  );
}

const said = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? onOff(value) : String(value) || 'none';

function Group({ title, rows, children }: { title: ComponentChildren; rows: number; children: ComponentChildren }) {
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup" colSpan={3}>
          {title} <span class="count">{rows}</span>
        </th>
      </tr>
      {children}
    </tbody>
  );
}

/** Of two lists only the items that are not in both: of five addresses the one that moves. */
export function whatDiffers({ from, to }: { from: string; to: string }): { from: string; to: string } {
  const [before, after] = [from, to].map((text) => text.split(', '));
  const without = (items: string[], others: string[]) => items.filter((item) => !others.includes(item)).join(', ');
  return { from: without(before!, after!), to: without(after!, before!) };
}

interface RowProps {
  from: string;
  to: string;
  children: ComponentChildren;
}

function Row({ from, to, children }: RowProps) {
  return (
    <tr>
      <th scope="row">{children}</th>
      <td>
        <code>{from || 'none'}</code>
      </td>
      <td>
        <code class="becomes">{to || 'none'}</code>
      </td>
    </tr>
  );
}

/** Members of services and collections in the words of their forms. */
const PROPERTIES: Readonly<Record<string, string>> = {
  listen_addresses: 'listens on',
  subnet_cidr: 'subnet',
  ranges: 'ranges',
  gateway: 'gateway',
  dns_servers: 'DNS servers',
  ntp_servers: 'NTP servers',
  ip_address: 'address',
  value: 'value',
  addresses: 'mounted at',
  interface: 'interface',
  issuer: 'issuer',
  uefi_http_url: 'UEFI HTTP URL',
};

function UnitMoves({ unit, moves, cut }: { unit: string; moves: InterfaceImpact['moves']; cut: boolean }) {
  const shown = moves.slice(0, ROWS_MOST);
  const more = moves.length - shown.length;
  if (moves.length === 0 && !cut) return null;
  return (
    <Group title={unitName(unit)} rows={moves.length}>
      {shown.map(({ subject, page, property, ...values }, index) => (
        <Row key={`${subject} ${property} ${values.to}`} {...whatDiffers(values)}>
          {shown[index - 1]?.subject === subject ? (
            <span class="vh">{subject}</span>
          ) : (
            <a href={page} class="line">
              {subject}
            </a>
          )}{' '}
          <span class="muted">{PROPERTIES[property] ?? property}</span>
        </Row>
      ))}
      {(more > 0 || cut) && (
        <tr>
          <th scope="row" colSpan={3} class="muted">
            {more > 0 ? (
              <More summary={`and ${more} more${cut ? ', at least' : ''}`}>
                <ul>
                  {moves.slice(ROWS_MOST).map(({ subject, page, property, ...values }) => (
                    <li key={`${subject} ${property} ${values.to}`}>
                      <a href={page}>{subject}</a> {PROPERTIES[property] ?? property}:{' '}
                      <code>{whatDiffers(values).from || 'none'}</code> →{' '}
                      <code class="becomes">{whatDiffers(values).to || 'none'}</code>
                    </li>
                  ))}
                </ul>
              </More>
            ) : (
              'and more that an answer does not list'
            )}
          </th>
        </tr>
      )}
    </Group>
  );
}
