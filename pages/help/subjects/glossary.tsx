// Help: the words of the appliance, each used for one thing.
import type { ComponentChildren } from 'preact';
import { STATES } from '../../components/state-words.tsx';
import { See, type Subject } from '../subject.tsx';

type Word = readonly [id: string, word: string, meaning: ComponentChildren];

export const WORDS: readonly Word[] = [
  [
    'applied',
    'Applied',
    'What the last successful apply put on the host. The history of plans keeps it, so that it can be compared and brought back.',
  ],
  [
    'baseline',
    'Baseline',
    'The files of a unit exactly as they were applied last. A plan shows its changes against it, and drift is what differs from it.',
  ],
  [
    'confirm-window',
    'Confirm window',
    <>
      The time in which a plan that could cut you off has to be confirmed. Without a confirmation everything goes back.
      See <See at="apply#confirm-window">the confirm window</See>.
    </>,
  ],
  [
    'desired',
    'Desired state',
    'What you saved: what the host is meant to be. Pages and API edit it, and nothing else does; only an apply brings it to the host.',
  ],
  [
    'drift',
    'Drift',
    <>
      What differs on the host from what was applied, because somebody or something else changed it. See{' '}
      <See at="apply#drift">drift</See>.
    </>,
  ],
  [
    'follow',
    'Follow',
    <>
      What depends on an interface is rewritten in the same transaction when the interface changes: it follows the edit.
      See <See at="network#following">what follows an edit</See>.
    </>,
  ],
  [
    'impact',
    'Impact',
    'What saving an edit means for others: what is rewritten, what moves, what is no longer selected, what blocks. It is shown before you save.',
  ],
  ['job', 'Job', 'Work that goes on after the answer and survives a restart, with its steps and their progress.'],
  [
    'owner',
    'Owner',
    'The part of the appliance that keeps a row, such as the record of a service. Such a row is edited where its owner is.',
  ],
  [
    'pending',
    'Pending',
    'Saved and not applied: the next plan would change something. A dashed line marks it on the pages; a solid line is in force.',
  ],
  [
    'plan',
    'Plan',
    'The changes of one apply, unit by unit in order, with files, risk and interruption. It is reviewed first, and applied exactly as reviewed.',
  ],
  [
    'refuse',
    'Refuse',
    'To answer no and change nothing. A refusal says why, what stands in the way, and what to do about it.',
  ],
  [
    'rehearsal',
    'Rehearsal',
    <>
      Applying without touching the machine: files are rendered, checked and kept aside. See{' '}
      <See at="start#rehearsal">rehearsal</See>.
    </>,
  ],
  [
    'revision',
    'Revision',
    'The count of saves of a thing. A form or a program that worked on an older revision is refused, so that nobody overwrites unseen work.',
  ],
  [
    'scope',
    'Scope',
    <>
      Of a token or role: what it may read or write, such as <code>read:dns</code>. Of DHCP: one subnet on one interface
      that is served. The field has one word for both.
    </>,
  ],
  [
    'states',
    'States',
    <>
      Units, services, interfaces and rows have the same states on every page:{' '}
      {Object.values(STATES).map(({ word, means }) => (
        <span key={word} class="line">
          <b>{word}</b>: {means}
        </span>
      ))}
    </>,
  ],
  [
    'unit',
    'Unit',
    'What is planned, applied, probed and rolled back as one: the network, the firewall, DNS and DHCP, and each further service.',
  ],
];

export const glossary: Subject = {
  id: 'glossary',
  title: 'Glossary',
  intro: 'The words of the appliance. Each is used for one thing.',
  paragraphs: WORDS.map(([id, title, meaning]) => ({ id, title, text: <p>{meaning}</p> })),
};
