// Who is let in where a listener has few connections left.
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConnectionLimit, type ConnectionLimits, MANY } from '../../runtime/connection-limit.ts';

const MOST = { all: 20, reserved: 8, each: 5, network: 7, known: 3 };
const warned: unknown[][] = [];
let known: string[] = [];
let limit: ConnectionLimit;

beforeEach(() => {
  warned.length = 0;
  known = [];
  limit = limitOf(MOST);
});

function limitOf(most: ConnectionLimits): ConnectionLimit {
  const logger = { warn: (...said: unknown[]) => warned.push(said) } as never;
  return new ConnectionLimit({ logger }, most, (address) => known.includes(address));
}

interface Came {
  in: boolean;
  leave(): void;
  /** A request begins on it; what it gives ends the answer. */
  ask(): () => void;
}

function come(remoteAddress: string): Came {
  const socket = new EventEmitter() as EventEmitter & { remoteAddress: string; destroy(): void };
  const came = {
    in: true,
    leave: () => socket.emit('close'),
    ask: () => {
      const response = new EventEmitter();
      limit.runs(socket as unknown as Socket, response as never);
      return () => response.emit('close');
    },
  };
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

describe('a newcomer on a full listener', () => {
  const WIDE = { all: 40, reserved: 10, each: 15, network: 30, known: 9 };
  const full = () => times(15, '198.51.100.1').concat(times(15, '198.51.100.2')).map(come);
  const open = (came: readonly Came[]) => came.filter((each) => each.in).length;

  beforeEach(() => {
    limit = limitOf(WIDE);
  });

  test('gets a place of whoever holds most, until that is no more than twice what he has', () => {
    const [held, newcomers] = [full(), times(9, '203.0.113.1').map(come)];
    expect([open(held), open(newcomers)]).toEqual([24, 6]);
    // Those who have most can't take it back, nor get more by coming again.
    expect(letIn(['198.51.100.1', '198.51.100.2'])).toBe(0);
    expect(letIn(Array.from({ length: 40 }, (_, at) => `192.0.2.${at}`))).toBe(24 - 2 * (MANY - 1));
    expect(warned).toEqual([['the listener is full', { open: 30 }]]);
  });

  test('a network of IPv6 holds all that its addresses hold', () => {
    const held = Array.from({ length: 30 }, (_, at) => come(`2001:db8::${at + 1}`));
    expect(letIn(['2001:db8::ffff', '2001:db8:0:1::1', '203.0.113.1'])).toBe(2);
    expect(open(held)).toBe(28);
  });

  test('the oldest without a request goes first, and the oldest with one when there is no other', () => {
    const held = times(15, '198.51.100.1').map(come);
    times(15, '198.51.100.2')
      .map(come)
      .slice(8)
      .map((came) => came.leave());
    letIn(times(8, '127.0.0.1'));
    const answered = held.map((came) => came.ask());
    const gone = () => held.flatMap((came, at) => (came.in ? [] : [at]));
    answered[3]!();
    answered[5]!();
    answered[3]!();
    for (const expected of [[3], [3, 5], [0, 3, 5]]) {
      expect(letIn([`203.0.113.${expected.length}`])).toBe(1);
      expect(gone()).toEqual(expected);
    }
  });

  test('no connection of loopback, and none of a known address that has no more than is kept for it', () => {
    known = ['192.0.2.1', '192.0.2.2'];
    const kept = [times(9, '127.0.0.1'), times(9, '192.0.2.1')].map((addresses) => addresses.map(come));
    const more = times(12, '192.0.2.2').map(come);
    expect(letIn(Array.from({ length: 10 }, (_, at) => `203.0.113.${at}`))).toBe(3);
    expect([...kept.map(open), open(more)]).toEqual([9, 9, 9]);
  });

  test('what was ended is counted once, and its place is free when the newcomer leaves', () => {
    const held = full();
    const newcomer = come('203.0.113.1');
    for (const came of held) if (!came.in) came.leave();
    newcomer.leave();
    expect(letIn(times(2, '203.0.113.1'))).toBe(2);
    expect(open(held)).toBe(28);
  });
});
