// Random edits of random worlds: the second half.
import { fuzzEdits } from './dependents-edits.ts';

fuzzEdits(1);
