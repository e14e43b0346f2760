import { z } from 'zod';
import { port } from '../../runtime/config.js';

export const edgeStateConfig = z.object({
  TELLTALE_STATE: z
    .string()
    .default('.telltale/data/edge')
    .describe('Folder of the local stores of this edge; each edge has its own.'),
});

export const processorsConfig = z.object({
  PROCESSORS_HOST: z.string().default('127.0.0.1').describe('Address of their operations endpoints.'),
  PROCESSORS_PORT: port(8090).describe('Port of their operations endpoints; 0 takes a free one.'),
  PROCESSORS_RUN: z
    .enum(['all', 'lanes', 'overflow'])
    .default('all')
    .describe(
      'What this process does: all, all but the overflow of the lanes, or only the overflow, so that it can get its own CPU share (docs/scaling.md).',
    ),
});

export type ProcessorsPart = z.output<typeof processorsConfig>['PROCESSORS_RUN'];

export const sinksConfig = z.object({
  SINKS_HOST: z.string().default('127.0.0.1').describe('Address of their operations endpoints.'),
  SINKS_PORT: port(8091).describe('Port of their operations endpoints; 0 takes a free one.'),
});
