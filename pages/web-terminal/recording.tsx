// One recording: whose it is, and its replay, for which the script asks; without it there is none, and it says so.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { OWN_PASSWORD } from '../../shared/kernel/operation/confirm-password.ts';
import { findRecording, type Recording } from '../../shared/services/web-terminal/recording/recordings.ts';
import { recordingParam } from '../../shared/services/web-terminal/recording/schemas.ts';
import { OWN_PASSWORD_LABEL, OwnPasswordField } from '../account/own-password.tsx';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { FactsList } from '../components/facts.tsx';
import { Form, HiddenField } from '../components/form.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { machineWords, RECORDINGS, STATE_WORDS, TERMINAL } from './recording-words.ts';

interface Data {
  recording: Recording;
  assets: { js: string | undefined; css: string | undefined };
}

export const page = definePage({
  id: 'terminalRecordingPage',
  path: pageRoute('terminal-recording'),
  current: TERMINAL.href,
  access: { session: 'read:terminal-recordings' },
  params: recordingParam,
  async load({ services, params }): Promise<Data> {
    const { assets } = services.settings;
    return {
      recording: await findRecording(services, params.recording_id),
      assets: { js: assets['terminal.replay'], css: assets['terminal.css'] },
    };
  },
  title: () => 'Recording of a terminal',
  view: View,
});

function View({ data: { recording, assets }, state, outcome }: ViewProps<Data>) {
  const { id, state: is } = recording;
  const href = pagePath('terminal-recording', id);
  const typed = typedInto('openTerminalRecordingForm', outcome);
  const opens = is === 'complete' || is === 'cut-off';
  const may = state.user.scopes.includes('write:terminal-recordings') && is !== 'running';
  return (
    <>
      <PageHead title="Recording of a terminal" trail={[TERMINAL, RECORDINGS]} here="Recording">
        {may && <ButtonLink href={`${href}/delete`}>Delete</ButtonLink>}
      </PageHead>
      <Refused typed={typed} labels={OWN_PASSWORD_LABEL} />
      <FactsList facts={factsOf(recording, state.now)} />
      {is === 'running' && <Note>The terminal is still open. It can be replayed once it has ended.</Note>}
      {is === 'unreadable' && <Note>It was damaged or moved, or the keys file is another one.</Note>}
      {opens && (
        <>
          <noscript>
            <p>The replay needs the script of this page.</p>
          </noscript>
          <Form action={`${href}/open`} csrf={state.csrf} look="stack" label="Replay the recording">
            <HiddenField name="purpose" value="replay" />
            <OwnPasswordField error={typed.of(OWN_PASSWORD)} />
            <div class="actions" data-replay={id}>
              <Button kind="primary">Replay</Button>
              <button type="button" class="btn" data-replay-export="">
                Export as asciicast
              </button>
            </div>
            <p class="muted">Each replay and each export is written to the audit log.</p>
          </Form>
          <p role="status" data-replay-status="" />
          <div class="terminal-place terminal-replay" data-replay-place="" hidden />
          <div class="actions" data-replay-controls="" hidden>
            <button type="button" class="btn" data-replay-pause="">
              Pause
            </button>
            <label>
              Place <input type="range" min="0" max="0" step="0.1" value="0" data-replay-at="" aria-label="Seconds" />
            </label>
            <output class="mono" data-replay-clock="">
              0:00
            </output>
          </div>
          {assets.css && <link rel="stylesheet" href={`/assets/${assets.css}`} />}
          {assets.js && <script type="module" src={`/assets/${assets.js}`} />}
        </>
      )}
    </>
  );
}

function factsOf(recording: Recording, now: string) {
  const { user, account, source_address, ...rest } = recording;
  const { state, started_at, ended_at, ended_by, kept_until, size_bytes } = rest;
  return [
    { label: 'User', value: user || '—' },
    { label: 'Account', value: <code>{account || '—'}</code> },
    { label: 'Machine', value: machineWords(recording) },
    { label: 'From', value: <code>{source_address || '—'}</code> },
    { label: 'Began', value: <Instant at={started_at} now={now} /> },
    { label: 'Ended', value: ended_at === null ? '—' : <Instant at={ended_at} now={now} /> },
    { label: 'State', value: ended_by === null ? STATE_WORDS[state] : `${STATE_WORDS[state]} (${ended_by})` },
    { label: 'Kept until', value: kept_until === null ? '—' : <Instant at={kept_until} now={now} /> },
    { label: 'Size', value: byteWords(size_bytes) },
  ];
}
