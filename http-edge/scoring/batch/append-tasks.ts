import type { TaskRecords } from '../../ports.js';

/**
 * The most that goes into one append: enough that its overhead no longer matters, and little enough to fit
 * into one request.
 */
const largestChunk = { tasks: 100, characters: 200_000 };
/**
 * How many appends of one batch run at once: enough to keep Kafka busy, and few enough to leave room for
 * other callers.
 */
const atOnce = 3;

/**
 * Appends many tasks in few appends, and returns which of them are durable. After an append has failed, no
 * other starts; earlier and concurrent ones still count. `failure` is the error of the first one that failed.
 */
export async function appendTasks(
  tasks: readonly TaskRecords[],
  append: (chunk: readonly TaskRecords[]) => Promise<void>,
): Promise<{ readonly durable: ReadonlySet<TaskRecords>; readonly failure?: Error }> {
  const durable = new Set<TaskRecords>();
  const failures: Error[] = [];
  const waiting = chunksOf(tasks).values();
  const work = async (): Promise<void> => {
    for (const chunk of waiting) {
      if (failures.length > 0) return;
      try {
        await append(chunk);
        for (const task of chunk) durable.add(task);
      } catch (error) {
        failures.push(error instanceof Error ? error : new Error(String(error)));
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const [failure] = failures;
  return failure === undefined ? { durable } : { durable, failure };
}

function chunksOf(tasks: readonly TaskRecords[]): readonly (readonly TaskRecords[])[] {
  const chunks: TaskRecords[][] = [];
  let characters = Infinity;
  for (const task of tasks) {
    const { prompt, response } = task.request;
    const length = prompt.length + (response?.length ?? 0);
    const open = chunks.at(-1);
    if (
      open === undefined ||
      open.length === largestChunk.tasks ||
      characters + length > largestChunk.characters
    ) {
      chunks.push([task]);
      characters = length;
    } else {
      open.push(task);
      characters += length;
    }
  }
  return chunks;
}
