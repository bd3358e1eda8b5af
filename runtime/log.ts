// The structured log: one JSON line each on standard output, made by the powertools logger.
import { Logger, type LogItem } from '@aws-lambda-powertools/logger';
import type { LogTail } from '../shared/kernel/operation/log-tail.ts';

/**
 * A logger whose lines carry the service and its version. Values of keys that name secrets are masked, wherever. `tail`: also
 * gets each line.
 */
export function createLogger(level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR', version: string, tail?: LogTail): Logger {
  const options: ConstructorParameters<typeof Logger>[0] = {
    serviceName: 'groundcrew',
    logLevel: level,
    persistentKeys: { version },
    jsonReplacerFn: (key, value: unknown) => (SECRET.test(key) && mayHold(value) ? '[masked]' : value),
  };
  return tail ? new TailedLogger(options, tail) : new LevelledLogger(options);
}

/** Looks at the level first: the base looks for a trace in the environment before, for each line that nobody wants. */
class LevelledLogger extends Logger {
  protected override processLogItem(...line: Parameters<Logger['processLogItem']>): void {
    if (line[0] >= this.level) super.processLogItem(...line);
  }
}

class TailedLogger extends LevelledLogger {
  readonly #tail: LogTail;

  constructor(options: ConstructorParameters<typeof Logger>[0], tail: LogTail) {
    super(options);
    this.#tail = tail;
  }

  protected override printLog(level: number, item: LogItem): void {
    super.printLog(level, item);
    this.#tail?.add(JSON.stringify(item.getAttributes(), this.getJsonReplacer()));
  }
}

const SECRET = /password|passphrase|secret|token$|authorization|cookie|capability|(?:api|private)[-_]?key/i;
/** Also what is inside a list or an object of that name; a count and a yes or no tell nothing. */
const mayHold = (value: unknown): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);
