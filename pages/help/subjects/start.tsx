// Help: what the appliance is for, and the way that every change takes.
import { See, type Subject } from '../subject.tsx';

export const start: Subject = {
  id: 'start',
  title: 'Getting started',
  intro: 'What the appliance does, and the way that every change takes.',
  paragraphs: [
    {
      id: 'overview',
      title: 'Overview and first steps',
      text: (
        <>
          <p>
            Groundcrew is the one machine that a VMware lab or private cloud needs before anything else runs: addresses,
            names, time, certificates, software and the first boot of its hosts. The overview shows what is in force,
            what is saved and waits, and what runs.
          </p>
          <p>
            First steps on the overview lead through network, names, DHCP, time, trust, the first apply and the names of
            your cloud. A step is ticked when it is in force. Until then it says what to do, or{' '}
            <i>Saved, not applied</i>:
          </p>
          <ol>
            <li>
              Give an interface the role <b>management</b> and an address. See{' '}
              <See at="network#interfaces">interfaces</See>.
            </li>
            <li>
              Switch on the <See at="services#dns">name service</See>, and add your first zone and its records.
            </li>
            <li>
              <See at="apply#review">Review and apply</See> what you saved.
            </li>
          </ol>
          <p>
            The page of each service lists what it still needs, in order. While a service is off, its lists say so: what
            you save there takes effect when the service is switched on and applied.
          </p>
          <p>
            <kbd>Ctrl K</kbd> opens the search from every page: pages, interfaces, records, hosts and jobs. Times are
            shown relative to now; hold the pointer over one to see the exact time in UTC.
          </p>
        </>
      ),
    },
    {
      id: 'save-review-apply',
      title: 'Save, review, apply',
      text: (
        <>
          <p>Three steps lie between a form and the host:</p>
          <ol>
            <li>
              <b>Save.</b> A form changes the <See at="glossary#desired">desired state</See> only. Nothing on the host
              changes. What depends on an edited interface <See at="network#following">follows</See> at once, or the
              edit is refused.
            </li>
            <li>
              <b>Review.</b> The strip on top names the units that are saved and not applied. <i>Review changes</i>{' '}
              makes a <See at="glossary#plan">plan</See>: each unit with its files, line by line, its risk and its
              interruption.
            </li>
            <li>
              <b>Apply.</b> The plan is put in force exactly as it was reviewed, in one order, and probed. If it could
              cut your own connection, it waits for you to <See at="apply#confirm-window">confirm</See>.
            </li>
          </ol>
          <p>A few things need no apply and say so: vaults, users and tokens, certificates, and permitted networks.</p>
        </>
      ),
    },
    {
      id: 'enforced',
      title: 'What is enforced today',
      text: (
        <>
          <p>
            An apply enforces the network, the packet filter, DNS and DHCP, NTP, the portal of the certificate
            authority, key management, LDAP, OpenID Connect, storage, the offline depot, network boot and the web
            terminal. The certificate authority itself works without an apply.
          </p>
        </>
      ),
    },
    {
      id: 'rehearsal',
      title: 'Rehearsal',
      text: (
        <>
          <p>
            The bar on top tells what an apply changes. In <b>rehearsal</b>, the default away from an installed
            appliance, everything works as it would: plans are rendered, checked by the real programs and kept below the
            data folder, and nothing on the machine changes. No plan needs confirming there.
          </p>
          <p>
            <b>Namespace</b> enforces for real inside one Linux network namespace, for development and tests.{' '}
            <b>System</b> is the appliance itself. The setting is <code>GROUNDCREW_HOST</code>, see{' '}
            <See at="settings#variables">service settings</See>.
          </p>
        </>
      ),
    },
  ],
};
