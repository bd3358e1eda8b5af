// The contents of the help: every subject with its paragraphs. It is part of the program, so it needs no network.
import { definePage } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { HELP_PATH, helpHref } from './links.ts';
import { SUBJECTS } from './subjects.ts';

export const page = definePage({
  id: 'helpPage',
  path: HELP_PATH,
  access: { session: 'any' },
  load: async () => null,
  title: () => 'Help',
  view: () => (
    <>
      <PageHead title="Help" intro="How to run this appliance. The text belongs to the release that is installed." />
      <div class="help-contents">
        {SUBJECTS.map(({ id, title, intro, paragraphs }) => (
          <section key={id} aria-labelledby={id}>
            <h2 id={id}>
              <a href={helpHref(id)}>{title}</a>
            </h2>
            <p class="muted">{intro}</p>
            <ul>
              {paragraphs.map((paragraph) => (
                <li key={paragraph.id}>
                  <a href={helpHref(`${id}#${paragraph.id}`)}>{paragraph.title}</a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  ),
});
