// Who is let in where a listener has few connections left.
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { beforeEach, expect, test } from '@jest/globals';
import { ConnectionLimit } from '../../runtime/connection-limit.ts';

const MOST = { all: 20, reserved: 8, each: 5, network: 7, known: 3 };
const warned: unknown[][] = [];
let known: string[] = [];
let limit: ConnectionLimit;

beforeEach(() => {
  warned.length = 0;
  known = [];
  const logger = { warn: (...said: unknown[]) => warned.push(said) } as never;
  limit = new ConnectionLimit({ logger }, MOST, (address) => known.includes(address));
});

interface Came {
  in: boolean;
  leave(): void;
}

function come(remoteAddress: string): Came {
  const socket = new EventEmitter() as EventEmitter & { remoteAddress: string; destroy(): void };
  const came = { in: true, leave: () => socket.emit('close') };
  socket.remoteAddress = remoteAddress;
  socket.destroy = () => {
    came.in = false;
  };
  limit.take(socket as unknown as Socket);
  return came;
}

const letIn = (addresses: string[]): number => addresses.filter((address) => come(address).in).length;
const times = (count: number, address: string): string[] => Array(count).fill(address);

test('one address has its share, however it is written', () => {
  expect(letIn([...times(3, '192.0.2.1'), ...times(4, '::ffff:192.0.2.1')])).toBe(5);
  expect(letIn(['192.0.2.2'])).toBe(1);
  expect(warned).toEqual([['too many connections', { source_address: '192.0.2.1', most: 5 }]]);
});

test('all addresses of a /64 have one share, and its neighbour another', () => {
  expect(letIn(Array.from({ length: 10 }, (_, at) => `2001:db8::${at + 1}`))).toBe(7);
  expect(letIn(['2001:db8:0:1::1'])).toBe(1);
  expect(warned).toEqual([['too many connections', { source_network: '2001:db8::/64', most: 7 }]]);
});

test('on a full listener there is room for loopback and for whoever is known, and none of them takes all of it', () => {
  expect(letIn(Array.from({ length: 30 }, (_, at) => `198.51.100.${at}`))).toBe(MOST.all - MOST.reserved);
  known = ['192.0.2.1', '192.0.2.2'];
  expect(letIn(times(9, '192.0.2.1'))).toBe(MOST.known);
  expect(letIn(['127.0.0.1', '::1', '192.0.2.2'])).toBe(3);
  expect(letIn(['203.0.113.1', '127.0.0.2'])).toBe(0);
  expect(warned).toEqual([['the listener is full', { open: 12 }]]);
});

test('never more than there may be, and a place that is left is given again', () => {
  known = Array.from({ length: 30 }, (_, at) => `192.0.2.${at}`);
  const came = known.map(come);
  expect(came.filter((each) => each.in).length).toBe(MOST.all);
  for (const each of came.slice(0, 10)) each.leave();
  expect(letIn(['203.0.113.1', '203.0.113.2', '203.0.113.3'])).toBe(2);
});
