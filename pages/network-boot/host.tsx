// One host that boots from the network, and changing it.
import { itemPage } from '../units/item-pages.tsx';
import { HOST_PAGES } from './host-pages.tsx';

export const page = itemPage(HOST_PAGES);
