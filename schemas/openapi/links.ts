import type { LinkObject } from './document-types.js';

type Links = Readonly<Record<string, LinkObject>>;

/** From an answer with a task's id at this JSON pointer, to the task's status. */
export function taskLinks(pointer: string): Links {
  const parameters = { task_id: `$response.body#${pointer}` };
  return {
    GetTaskStatus: { operationId: 'getTaskStatus', parameters, description: 'The state of the task.' },
  };
}

/** From a new key to the operations on it. */
export function keyLinks(): Links {
  const parameters = { key_id: '$response.body#/key_id' };
  return {
    GetKey: { operationId: 'getKey', parameters, description: 'The key, without its secret.' },
    RotateKey: { operationId: 'rotateKey', parameters, description: 'Gives the key a new secret.' },
    RevokeKey: { operationId: 'revokeKey', parameters, description: 'Revokes the key.' },
  };
}
