// How a terminal ends: the code of the WebSocket's close frame, and what the person reads. 4000 to 4999 are for applications
// (RFC 6455, 7.4.2). All ends stand here, so that page, runtime and audit use the same words.

export const CLOSINGS = {
  ended: { code: 1000, says: 'The shell has ended.' },
  stopping: { code: 1001, says: 'The appliance is stopping.' },
  malformed: { code: 1008, says: 'The page sent something that no terminal sends.' },
  too_large: { code: 1009, says: 'The page sent more at once than a terminal takes.' },
  failed: { code: 1011, says: 'The shell can’t be reached. Its unit may be starting, or its service is missing.' },
  ticket: { code: 4400, says: 'The way in is used or older than 30 seconds. Open the terminal again.' },
  revoked: { code: 4401, says: 'Your session or your right to the terminal has ended, or the terminal is off here.' },
  refused: { code: 4403, says: 'The operating system does not accept this account with this password.' },
  idle: { code: 4408, says: 'Nothing was typed for too long.' },
  total: { code: 4409, says: 'The terminal has reached its session limit.' },
  full: { code: 4429, says: 'All terminals are in use. End one, or raise the number in the settings.' },
  unread: { code: 4413, says: 'The browser fell too far behind what the shell prints.' },
  recorded: {
    code: 4414,
    says: 'The recording of this terminal is full, and nothing goes on unrecorded. Open another one.',
  },
  unrecorded: {
    code: 4415,
    says: 'Terminals are recorded here, and this one can’t be: the disk or the room for recordings is full. Delete recordings, or raise their megabytes in the settings.',
  },
  remote: { code: 4416, says: 'The other machine can’t be reached, or opened no shell in time.' },
  taken: { code: 4430, says: 'This terminal is shown in another tab.' },
  taken_over: {
    code: 4431,
    says: 'This terminal was taken over in another browser of yours. If that was not you, change your password and end your sessions.',
  },
  gone: { code: 4410, says: 'The shell was kept for a minute after the page went away, and is gone.' },
} as const;

export type Closing = keyof typeof CLOSINGS;

/** The end that a close code stands for; null: the connection broke. */
export const closingOf = (code: number): Closing | null =>
  (Object.keys(CLOSINGS) as Closing[]).find((each) => CLOSINGS[each].code === code) ?? null;
