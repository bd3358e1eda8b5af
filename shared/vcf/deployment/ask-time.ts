// Whether a time server answers this appliance.
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { decodeAnswer, encodeQuestion } from '../../services/ntp/ntp-packet.ts';

export interface AskedTime {
  server: string;
  answered: boolean;
}

const PORT = 123;
const WAIT_MS = 1500;
const RESEND_MS = 500;

/** Asks over UDP, and again until the time is over; never rejects. `server`: an address. */
export function askTime(server: string): Promise<AskedTime> {
  const nonce = randomBytes(8);
  const question = encodeQuestion(nonce);
  const socket = createSocket(isIPv6(server) ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    const done = (answered: boolean) => {
      clearInterval(again);
      clearTimeout(over);
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
      resolve({ server, answered });
    };
    const send = () => socket.send(question, PORT, server, () => undefined);
    const again = setInterval(send, RESEND_MS);
    const over = setTimeout(() => done(false), WAIT_MS);
    socket.on('error', () => done(false));
    socket.on('message', (packet, from) => {
      if (from.port === PORT && decodeAnswer(packet, nonce)) done(true);
    });
    send();
  });
}
