import { ApiError } from '../api/client.js';

/** What went wrong, in words. */
export function reasonOf(error: unknown): string {
  return error instanceof ApiError ? error.message : String(error);
}
