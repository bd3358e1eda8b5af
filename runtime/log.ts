// The structured log: one JSON line each on standard output, made by the powertools logger.
import { Logger } from '@aws-lambda-powertools/logger';

/** A logger whose lines carry the service and its version. Values of keys that name secrets are masked, wherever. */
export function createLogger(level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR', version: string): Logger {
  return new Logger({
    serviceName: 'groundcrew',
    logLevel: level,
    persistentKeys: { version },
    jsonReplacerFn: (key, value: unknown) => (SECRET.test(key) && typeof value === 'string' ? '[masked]' : value),
  });
}

const SECRET = /password|secret|token$|authorization|cookie|capability/i;
