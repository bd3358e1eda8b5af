// One subject of the help: its paragraphs, each with an address of its own, and the way to the subjects beside it.
import * as v from 'valibot';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { notFound } from '../../shared/ground/problems.ts';
import { definePage } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { HELP_PATH, helpHref } from './links.ts';
import type { Subject } from './subject.tsx';
import { SUBJECTS } from './subjects.ts';

interface Data {
  subject: Subject;
  before: Subject | undefined;
  after: Subject | undefined;
}

export const page = definePage({
  id: 'helpSubjectPage',
  path: pageRoute('help-subject'),
  current: HELP_PATH,
  access: { session: 'any' },
  params: v.strictObject({ subject: v.pipe(v.string(), v.maxLength(64)) }),
  async load({ params }): Promise<Data> {
    const at = SUBJECTS.findIndex(({ id }) => id === params.subject);
    const subject = SUBJECTS[at];
    if (!subject) throw notFound('This subject of the help');
    return { subject, before: SUBJECTS[at - 1], after: SUBJECTS[at + 1] };
  },
  title: ({ subject }) => `${subject.title}, help`,
  view: ({ data: { subject, before, after } }) => (
    <>
      <PageHead title={subject.title} trail={[{ href: HELP_PATH, label: 'Help' }]} intro={subject.intro} />
      <div class="manual">
        <nav class="help-places" aria-labelledby="on-this-page">
          <h2 id="on-this-page">On this page</h2>
          <ul>
            {subject.paragraphs.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <article class="prose">
          {subject.paragraphs.map(({ id, title, text }) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id}>{title}</h2>
              {text}
            </section>
          ))}
          <nav class="help-beside" aria-label="Other subjects">
            {before && <a href={helpHref(before.id)}>← {before.title}</a>}
            {after && <a href={helpHref(after.id)}>{after.title} →</a>}
          </nav>
        </article>
      </div>
    </>
  ),
});
