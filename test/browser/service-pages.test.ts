// The pages of services in a real browser.
import { lookAtPages } from './pages-look.ts';

lookAtPages('services');
