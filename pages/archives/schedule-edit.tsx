// Changing the schedule of archives, after the own password.
import { readSchedule, type SavedSchedule } from '../../shared/appliance/archive/schedule/document.ts';
import { WEEKDAYS } from '../../shared/appliance/archive/schedule/timing.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import {
  CheckField,
  FieldGroup,
  Form,
  FormActions,
  RadioField,
  SelectField,
  TextArea,
  TextField,
} from '../components/form.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import {
  editedFrom,
  type LastSave,
  lastSaveOf,
  Refused,
  type SavedField,
  StaleForm,
  type Typed,
  typedInto,
  withLost,
} from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { dayWords, SCHEDULE } from './schedule-words.tsx';
import { ARCHIVES } from './words.ts';

const PATH = `${SCHEDULE.href}/edit`;
const LABELS = {
  enabled: 'Make archives on a schedule',
  every: 'How often',
  weekday: 'Day of the week',
  at: 'Time of day, UTC',
  recipients: 'Recipients',
  keep_last: 'Last copies',
  keep_daily: 'Days',
  keep_weekly: 'Weeks',
  keep_monthly: 'Months',
  own_password: 'Your password',
};
const COUNTS = ['keep_last', 'keep_daily', 'keep_weekly', 'keep_monthly'] as const;

interface Data {
  saved: SavedSchedule;
  last: LastSave | null;
}

export const page = definePage({
  id: 'editArchiveSchedulePage',
  path: PATH,
  current: ARCHIVES.href,
  access: { session: 'write:archives' },
  async load({ db, outcome }): Promise<Data> {
    return {
      saved: await readSchedule(db),
      last: await lastSaveOf(db, outcome, { type: 'archive_schedule', id: '' }),
    };
  },
  title: () => 'Edit the schedule of archives',
  view: EditView,
});

function EditView({ data: { saved, last }, state, outcome }: ViewProps<Data>) {
  const typed = withLost(typedInto('updateArchiveScheduleForm', outcome));
  const fields: SavedField[] = [
    [LABELS.enabled, 'enabled', saved.enabled],
    [LABELS.every, 'every', saved.every],
    [LABELS.weekday, 'weekday', saved.weekday],
    [LABELS.at, 'at', saved.at],
    [LABELS.recipients, 'recipients', saved.recipients.join('\n')],
    ...COUNTS.map((name): SavedField => [LABELS[name], name, String(saved[name])]),
  ];
  return (
    <>
      <PageHead
        title="Edit the schedule of archives"
        trail={[ARCHIVES, SCHEDULE]}
        here="Edit"
        intro="Whoever opens a copy has every password and private key that is saved here."
      />
      <Refused typed={typed} labels={LABELS} />
      <StaleForm
        typed={typed}
        name="the schedule"
        revision={saved.revision}
        last={last}
        saved={fields}
        now={state.now}
      />
      <Form action={PATH} csrf={state.csrf} {...editedFrom(typed, saved.revision, fields)} label="Schedule">
        <When saved={saved} typed={typed} />
        <TextArea
          name="recipients"
          label={LABELS.recipients}
          mono
          rows={4}
          value={typed.text('recipients', saved.recipients.join('\n'))}
          error={typed.of('recipients')}
          placeholder="age1…"
          help="One a line, as age-keygen prints them. The identity of any of them opens the copies; this appliance can’t. Keep the identity elsewhere."
        />
        <FieldGroup legend="Copies that are kept at each target">
          {COUNTS.map((name) => (
            <TextField
              key={name}
              name={name}
              label={LABELS[name]}
              type="number"
              inputmode="numeric"
              min={name === 'keep_last' ? 1 : 0}
              value={typed.text(name, saved[name])}
              error={typed.of(name)}
              help={
                name === 'keep_last'
                  ? 'Whenever they were made. The newest verified copy is never deleted.'
                  : 'Of each the newest copy; 0 for none.'
              }
            />
          ))}
        </FieldGroup>
        <TextField
          name="own_password"
          label={LABELS.own_password}
          type="password"
          value=""
          autocomplete="current-password"
          error={typed.of('own_password')}
          help="Your own, for this appliance."
        />
        <FormActions note="Takes effect immediately. A run that is missed is made up once.">
          <Button kind="primary">Save schedule</Button>
          <ButtonLink href={SCHEDULE.href}>Cancel</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

function When({ saved, typed }: { saved: SavedSchedule; typed: Typed }) {
  return (
    <>
      <CheckField
        name="enabled"
        group="Schedule"
        label={LABELS.enabled}
        checked={typed.checked('enabled', saved.enabled)}
        error={typed.of('enabled')}
      />
      <RadioField
        name="every"
        label={LABELS.every}
        value={typed.text('every', saved.every)}
        error={typed.of('every')}
        options={[
          { value: 'daily', label: 'Daily' },
          { value: 'weekly', label: 'Weekly' },
        ]}
      />
      <SelectField
        name="weekday"
        label={LABELS.weekday}
        value={typed.text('weekday', saved.weekday)}
        error={typed.of('weekday')}
        options={WEEKDAYS.map((value) => ({ value, label: dayWords(value) }))}
        help="Counts for weekly archives alone."
      />
      <TextField
        name="at"
        label={LABELS.at}
        mono
        value={typed.text('at', saved.at)}
        error={typed.of('at')}
        placeholder="02:00"
        help="UTC comes once a day, whatever a time zone does with its clocks."
      />
    </>
  );
}
