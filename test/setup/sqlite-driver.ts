// Which SQLite driver a test file's store runs on: the suite `drivers` has some of them run once more on the other one.
import { preferDriver } from '../../shared/ground/store/driver.ts';

preferDriver(process.env.GROUNDCREW_SQLITE ?? null);
