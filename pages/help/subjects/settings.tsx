// Help: the environment of the service, and the folder that it keeps its data in.
import type { ComponentChildren } from 'preact';
import { See, type Subject, Terms } from '../subject.tsx';

/** Each variable with its default and its meaning. */
export const VARIABLES: readonly (readonly [names: readonly string[], standard: string, meaning: ComponentChildren])[] =
  [
    [['GROUNDCREW_DATA'], './data', 'Folder of the database, the keys and staged files.'],
    [
      ['GROUNDCREW_LISTEN'],
      '127.0.0.1:8080',
      <>
        Management listener: API and application. A single address answers just there. For <code>0.0.0.0:port</code> or{' '}
        <code>[::]:port</code> where an apply enforces, see <See at="listeners#management">where it answers</See>.
      </>,
    ],
    [['GROUNDCREW_PUBLIC_LISTEN'], 'off', 'Public pages. No management route answers there.'],
    [
      ['GROUNDCREW_BOOT_LISTEN'],
      'off',
      'Plain HTTP for machines that boot, at one address instead of where the applied state has it.',
    ],
    [
      ['GROUNDCREW_DEPOT_LISTEN'],
      'off',
      'HTTPS of the offline depot, at one address instead of where the applied state has it.',
    ],
    [
      ['GROUNDCREW_TLS_CERT', 'GROUNDCREW_TLS_KEY'],
      'off',
      'PEM files. Both the management and the public listener then speak TLS 1.2 or newer.',
    ],
    [
      ['GROUNDCREW_BASE_URL'],
      'what the caller used',
      <>
        Origin of the types of problems. It is also accepted as <code>Origin</code> and as a{' '}
        <See at="listeners#names">host name</See>.
      </>,
    ],
    [
      ['GROUNDCREW_ADMIN_PASSWORD'],
      'generated, printed once',
      <>
        Password of <code>admin</code> on the very first start. The start stops if the password rules refuse it. The
        service forgets it once read; take it out of <code>groundcrew.env</code> afterwards, which only root reads.
      </>,
    ],
    [
      ['GROUNDCREW_HOST'],
      'rehearsal',
      <>
        <code>rehearsal</code>, <code>namespace:&lt;name&gt;</code> or <code>system</code>:{' '}
        <See at="start#rehearsal">where an apply enforces</See>.
      </>,
    ],
    [
      ['GROUNDCREW_LOG_LEVEL'],
      'info',
      <>
        <code>debug</code>, <code>info</code>, <code>warn</code> or <code>error</code>; <code>debug</code> also logs
        each successful read.
      </>,
    ],
    [
      ['GROUNDCREW_SQLITE'],
      'node:sqlite',
      <>
        SQLite driver. <code>node:sqlite</code> comes with Node: short statements run on the event loop, long ones on a
        thread of their own. <code>sqlite3</code> is an addon that needs a compiled file and runs each statement on a
        thread. The line <code>started</code> in the log and the overview say which one runs.
      </>,
    ],
  ];

export const settings: Subject = {
  id: 'settings',
  title: 'Service settings',
  intro: 'The environment of the service, and the folder that it keeps its data in.',
  paragraphs: [
    {
      id: 'variables',
      title: 'Environment variables',
      text: (
        <>
          <p>
            On an installed appliance they are set in <code>/etc/groundcrew/groundcrew.env</code>; a change takes effect
            with <code>systemctl restart groundcrew</code>. A bad value, or an unknown <code>GROUNDCREW_…</code>{' '}
            variable, stops the start with one line.
          </p>
          <Terms
            rows={VARIABLES.map(([names, standard, meaning]) => [
              names,
              <>
                {meaning}
                <span class="muted line">Default: {standard}</span>
              </>,
            ])}
          />
        </>
      ),
    },
    {
      id: 'data-folder',
      title: 'The data folder',
      text: (
        <>
          <p>
            The folder must belong to the user of the service, and nobody else may write to it; the start stops
            otherwise. Of an empty folder the service takes the others' rights away.
          </p>
          <p>
            The start also stops when the keys are there but the database is missing, empty or damaged. Put the database
            back, or move the keys away to start over. An interrupted first start is resumed. See{' '}
            <See at="install#copies">what to copy</See>.
          </p>
        </>
      ),
    },
  ],
};
