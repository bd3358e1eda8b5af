// Help: where the service answers, under which names, and what bounds its clients.
import { See, type Subject } from '../subject.tsx';

export const listeners: Subject = {
  id: 'listeners',
  title: 'Listeners and limits',
  intro: 'Where the service answers, under which names, and what bounds a client.',
  paragraphs: [
    {
      id: 'management',
      title: 'Where the application answers',
      text: (
        <p>
          A listener with a single address answers just there. One at <code>0.0.0.0</code> or <code>[::]</code> where an
          apply enforces answers everywhere until the network is applied for the first time. From then on it answers
          exactly at the applied management addresses of both families and at loopback. If none of them can be bound for
          10 seconds it answers everywhere again, with a warning in the log.
        </p>
      ),
    },
    {
      id: 'names',
      title: 'Names that it answers to',
      text: (
        <>
          <p>
            The management and the public listener answer to any IP address in <code>Host</code>, and to these names:
          </p>
          <ul>
            <li>
              <code>localhost</code>, and the host of <code>GROUNDCREW_BASE_URL</code>
            </li>
            <li>
              the machine's host name, also in its search domains and in <code>/etc/hosts</code>
            </li>
            <li>names in the TLS certificate</li>
            <li>host names of the appliance's services, and records of its own DNS that have one of its addresses</li>
          </ul>
          <p>
            Any other name gets 421, because it could be DNS rebinding. A proxy must pass on one of these names; if it
            names a server in TLS, it must be the same one. The boot listener, the certificate portal and a depot that
            shares its port with nobody answer to every name.
          </p>
        </>
      ),
    },
    {
      id: 'shared-port',
      title: 'A port that several share',
      text: (
        <>
          <p>
            Over TLS, the management listener and the <See at="offline-depot#set-up">offline depot</See> can answer at
            the same address and port, such as 443. The name that a client asks TLS for decides who answers:
          </p>
          <ul>
            <li>
              <b>The depot</b> answers at its host name in force, and at nothing else. Without a certificate it answers
              nobody, and nobody answers by its name: the log and the state of the depot say so.
            </li>
            <li>
              <b>The management listener</b> has all the rest: its own names, the bare address, clients that ask for no
              name or for an unknown one. They are shown its certificate.
            </li>
            <li>
              <b>Where the management listener does not answer</b>, a service that is alone has every name and the
              address. Of several, each has its own name; other clients get the TLS alert <code>unrecognized_name</code>
              .
            </li>
            <li>
              <b>421</b> is the answer to a request whose <code>Host</code> is not the name that its connection was
              opened for, on a kept connection too.
            </li>
          </ul>
          <p>
            Two services with one host name at one address and port are refused when you save, and so is a host name
            that the management listener goes by. Each plane has its own certificate, sessions, time limits and
            connections: a full one keeps nobody from the other. A client has 5 seconds to name the server, and all such
            clients together have 2,048 connections, 640 per address, 1,024 per IPv6 /64.
          </p>
        </>
      ),
    },
    {
      id: 'connections',
      title: 'Connections',
      text: (
        <ul>
          <li>
            <b>Of a listener</b>: 1,000 in all, 128 per address, 384 per IPv6 /64. 200 of them are reserved for loopback
            and for addresses from which somebody signed in or used a token in the last 12 hours; each of these may hold
            32 when the listener is full for others. The <See at="offline-depot#limits">depot</See> has limits of its
            own.
          </li>
          <li>
            <b>A newcomer to a full listener</b> gets the place of the address or /64 that holds most, if that is at
            least 8 and more than twice the newcomer's own: its connection that was quiet for longest ends.
          </li>
          <li>
            <b>Time</b>: 10 seconds for a TLS handshake, 10 for the headers, 15 for a whole request. A refused
            connection is closed after 3.
          </li>
          <li>
            <b>Requests</b> on a connection are answered in order: the next one begins when the answer before it has
            been sent. More than 8 waiting requests end the connection.
          </li>
          <li>
            <b>Event streams</b>: 64 in all, 12 per user, 6 per session. A page without a stream polls every few
            seconds.
          </li>
        </ul>
      ),
    },
  ],
};
