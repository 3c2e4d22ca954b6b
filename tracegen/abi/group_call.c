/* The table of built-in functions that all work-items of a work-group have to call alike. */
#include "tracegen/abi/group_call.h"

const struct group_call_name group_call_names[GROUP_CALL_KINDS] = {
    [GROUP_COPY] = {"async_work_group_copy", 3, {"destination", "source", "number of elements"}},
    [GROUP_STRIDED_COPY] = {"async_work_group_strided_copy",
                            4,
                            {"destination", "source", "number of elements", "stride"}},
    [GROUP_WAIT] = {"wait_group_events", 1, {"number of events"}},
};
