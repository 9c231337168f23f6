import type {
  ContextField,
  Environment,
  Project,
  RegisterCalls,
  TagType,
} from '../api/registers';
import type { NewSegment, Segment, SegmentCalls } from '../api/segments';
import { type FakeState, refusalOf } from './FakeState';

/** Calls of the fake service, on its state. */
export function fakeRegisters(state: FakeState): RegisterCalls & SegmentCalls {
  return {
    async listEnvironments(): Promise<Environment[]> {
      const { name, type, protected: isProtected } = state.production;
      return state.respond('listEnvironments', [
        {
          name: 'development',
          type: 'development',
          protected: false,
          requiredApprovals: 1,
        },
        { name, type, protected: isProtected, requiredApprovals: 1 },
        ...state.environments,
      ]);
    },

    async createEnvironment(
      environment: Pick<Environment, 'name' | 'type'>,
    ): Promise<void> {
      const created = {
        ...environment,
        protected: false,
        requiredApprovals: 1,
      };
      state.environments = [
        ...state.environments,
        state.respond('createEnvironment', created),
      ];
    },

    async deleteEnvironment(name: string): Promise<void> {
      state.respond('deleteEnvironment', undefined);
      state.environments = state.environments.filter(
        each => each.name !== name,
      );
    },

    async updateEnvironment(
      name: string,
      changes: Partial<Omit<Environment, 'name'>>,
    ): Promise<void> {
      state.respond('updateEnvironment', undefined);
      state.environments = state.environments.map(each =>
        each.name === name ? { ...each, ...changes } : each,
      );
      if (name !== state.production.name) {
        return;
      }
      state.production = {
        ...state.production,
        protected: changes.protected ?? state.production.protected,
      };
    },

    async listProjects(): Promise<Project[]> {
      return state.respond('listProjects', state.projects);
    },

    async listContextFields(): Promise<ContextField[]> {
      return state.respond('listContextFields', state.contextFields);
    },

    async listSegments(): Promise<Segment[]> {
      return state.respond('listSegments', state.segments);
    },

    async createSegment(segment: NewSegment): Promise<Segment> {
      const id = state.segments.length + 1;
      const created = state.respond('createSegment', { ...segment, id });
      state.segments = [...state.segments, created];
      return created;
    },

    async updateSegment(
      id: number,
      changes: Partial<NewSegment>,
      etag?: string,
    ): Promise<Segment> {
      state.respond('updateSegment', undefined);
      const before = state.segments.find(segment => segment.id === id);
      if (etag !== undefined && etag !== before?.etag) {
        throw await refusalOf({ status: 412, message: 'Segment has changed' });
      }
      state.segments = state.segments.map(segment =>
        segment.id === id ? { ...segment, ...changes } : segment,
      );
      return state.segments.find(segment => segment.id === id)!;
    },

    async deleteSegment(id: number): Promise<void> {
      state.respond('deleteSegment', undefined);
      state.segments = state.segments.filter(segment => segment.id !== id);
    },

    async createProject(project: Project): Promise<Project> {
      state.projects = [
        ...state.projects,
        state.respond('createProject', project),
      ];
      return project;
    },

    async updateProject(
      id: string,
      changes: Partial<Omit<Project, 'id'>>,
    ): Promise<Project> {
      state.respond('updateProject', undefined);
      state.projects = state.projects.map(project =>
        project.id === id ? { ...project, ...changes } : project,
      );
      return state.projects.find(project => project.id === id)!;
    },

    async createContextField(field: ContextField): Promise<ContextField> {
      state.contextFields = [
        ...state.contextFields,
        state.respond('createContextField', field),
      ];
      return field;
    },

    async updateContextField(field: ContextField): Promise<ContextField> {
      state.respond('updateContextField', undefined);
      state.contextFields = state.contextFields.map(each =>
        each.name === field.name ? field : each,
      );
      return field;
    },

    async deleteContextField(name: string): Promise<void> {
      state.respond('deleteContextField', undefined);
      state.contextFields = state.contextFields.filter(
        field => field.name !== name,
      );
    },

    async listTagTypes(): Promise<TagType[]> {
      return state.respond('listTagTypes', state.tagTypes);
    },

    async createTagType(type: TagType): Promise<TagType> {
      state.tagTypes = [
        ...state.tagTypes,
        state.respond('createTagType', type),
      ];
      return type;
    },

    async updateTagType(type: TagType): Promise<TagType> {
      state.respond('updateTagType', undefined);
      state.tagTypes = state.tagTypes.map(each =>
        each.name === type.name ? type : each,
      );
      return type;
    },

    async deleteTagType(name: string): Promise<void> {
      state.respond('deleteTagType', undefined);
      state.tagTypes = state.tagTypes.filter(type => type.name !== name);
    },
  };
}
