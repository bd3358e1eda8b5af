// What a subject of the help is, and how texts lead to each other: `vaults#key` is a paragraph of a subject.
import type { ComponentChildren } from 'preact';
import { helpHref } from './links.ts';

export interface Paragraph {
  id: string;
  title: string;
  text: ComponentChildren;
}

export interface Subject {
  id: string;
  title: string;
  /** One sentence, also on the page of contents. */
  intro: string;
  paragraphs: readonly Paragraph[];
}

/** A link from one paragraph to another. */
export function See({ at, children }: { at: string; children: ComponentChildren }) {
  return <a href={helpHref(at)}>{children}</a>;
}

/** Names and what they mean, one below the other: readable on a narrow screen, which a table of sentences is not. */
export function Terms({
  rows,
}: {
  rows: readonly (readonly [names: readonly string[], meaning: ComponentChildren])[];
}) {
  return (
    <dl class="terms">
      {rows.map(([names, meaning]) => (
        <div key={names[0]}>
          <dt>
            {names.map((name) => (
              <code key={name} class="line">
                {name}
              </code>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
