import {
  AppWindow,
  ChartLine,
  HeartPulse,
  House,
  ListTree,
  MessageSquareText,
  SlidersHorizontal,
  Workflow,
  type LucideIcon,
} from 'lucide-react';

interface Area {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** The key that goes there after `g`. */
  readonly key: string;
}

/** The pages of the navigation, in its order. */
export const areas: readonly Area[] = [
  { path: '/', name: 'Home', icon: House, key: 'h' },
  { path: '/results', name: 'Results', icon: MessageSquareText, key: 'r' },
  { path: '/applications', name: 'Applications', icon: AppWindow, key: 'a' },
  { path: '/traces', name: 'Traces', icon: ListTree, key: 't' },
  { path: '/events', name: 'Events', icon: ChartLine, key: 'e' },
  { path: '/clusters', name: 'Clusters', icon: HeartPulse, key: 'c' },
  { path: '/pipeline', name: 'Pipeline', icon: Workflow, key: 'p' },
  { path: '/control', name: 'Control room', icon: SlidersHorizontal, key: 'k' },
];
